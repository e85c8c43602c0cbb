// JSON whose integers are never rounded: those beyond 2^53 are BigInt, in and out.

const native = { parse: JSON.parse, stringify: JSON.stringify }; // others may be put in their place
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;

/** The value of a JSON text. Throws SyntaxError. */
export function parse(text) {
  const mark = unusedMark(text);
  const marked = text.replace(TOKENS, (token) => (isRounded(token) ? `"${mark}${token}"` : token));
  if (marked === text) return native.parse(text);
  return native.parse(marked, (_, value) =>
    typeof value === "string" && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/** The JSON text of a value, as JSON.stringify makes it, BigInt included. */
export function stringify(value, indent = 0, margin = "") {
  if (typeof value === "bigint") return String(value);
  if (typeof value?.toJSON === "function") return stringify(value.toJSON(), indent, margin);
  if (value === null || typeof value !== "object") return native.stringify(value);
  const isList = Array.isArray(value);
  const inner = margin + " ".repeat(indent);
  const members = isList
    ? value.map((item) => stringify(item ?? null, indent, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(
          ([name, item]) =>
            `${native.stringify(name)}:${indent ? " " : ""}${stringify(item, indent, inner)}`,
        );
  const [open, close] = isList ? "[]" : "{}";
  if (!members.length || !indent) return open + members.join(",") + close;
  return `${open}\n${inner}${members.join(`,\n${inner}`)}\n${margin}${close}`;
}

function isRounded(token) {
  return INTEGER.test(token) && !Number.isSafeInteger(Number(token));
}

/** Letters that begin no string of the text: in escapes, nobody could have written these. */
function unusedMark(text) {
  let mark;
  do {
    mark = `integer-${crypto.getRandomValues(new BigUint64Array(2)).join("-")}:`;
  } while (text.includes(mark));
  return mark;
}
