// Values of fields as people write them, and back. Reading throws Unreadable.

export class Unreadable extends Error {}

const ESCAPES = { n: "\n", t: "\t", r: "\r", "\\": "\\" };

/** How each kind of field is written: `read` gives undefined for what is not set. */
export const KINDS = {
  integer: { read: (text) => whole(text, Number), write: String },
  bigint: { read: (text) => whole(text, safeInteger), write: String },
  number: { read: (text) => decimal(text), write: String },
  integers: {
    read: (text) => list(text.split(/[\s,]+/).filter(Boolean), (item) => whole(item, Number)),
    write: (items) => items.join(", "),
  },
  strings: {
    read: (text) => list(text.split("\n").filter(Boolean), unescaped),
    write: (items) => [items].flat().map(escaped).join("\n"),
  },
  map: {
    read: (text) => pairs(text.split("\n").filter((line) => line.trim())),
    write: (entries) =>
      Object.entries(entries)
        .map(([key, value]) => `${key}: ${value}`)
        .join("\n"),
  },
};

function whole(text, convert) {
  if (!text.trim()) return undefined;
  if (!/^\s*-?\d+\s*$/.test(text)) throw new Unreadable("integer");
  return convert(text.trim());
}

/** A number where it is exact. */
function safeInteger(text) {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function decimal(text) {
  if (!text.trim()) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) throw new Unreadable("number");
  return number;
}

function list(parts, read) {
  return parts.length ? parts.map(read) : undefined;
}

function pairs(lines) {
  const entries = lines.map((line) => {
    const [, key, value] = /^\s*(\d+)\s*[:=]\s*(\S+)\s*$/.exec(line) ?? [];
    if (key === undefined) throw new Unreadable("map");
    return [key, decimal(value)];
  });
  return entries.length ? Object.fromEntries(entries) : undefined;
}

function escaped(text) {
  return text.replace(/[\\\n\t\r]/g, (character) => {
    const [letter] = Object.entries(ESCAPES).find(([, value]) => value === character);
    return `\\${letter}`;
  });
}

function unescaped(text) {
  return text.replace(/\\([ntr\\])/g, (_, letter) => ESCAPES[letter]);
}
