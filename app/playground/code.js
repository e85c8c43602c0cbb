// A request as code that can be run elsewhere.

import { stringify } from "./json.js";

export const LANGUAGES = { curl: "curl", python: "Python", typescript: "TypeScript" };
const KEY_VARIABLE = "GENSPEC_API_KEY"; // keys themselves are never written into code

/** The code in one of LANGUAGES. */
export function codeFor(language, url, body, needsKey) {
  return { curl, python, typescript }[language](url, body, needsKey);
}

function curl(url, body, needsKey) {
  const key = needsKey ? ` \\\n  -H "Authorization: Bearer $${KEY_VARIABLE}"` : "";
  return `curl -sN ${quoted(url)} \\\n  -H 'Content-Type: application/json'${key} \\\n  -d ${quoted(stringify(body, 2))}\n`;
}

function python(url, body, needsKey) {
  const key = needsKey
    ? `\n    headers={"Authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}"},`
    : "";
  return `import json
${needsKey ? "import os\n" : ""}
import requests

body = ${pythonLiteral(body)}
with requests.post(
    ${JSON.stringify(url)},${key}
    json=body,
    stream=True,
) as answer:
    if not answer.ok:
        raise SystemExit(answer.text)
    for line in answer.iter_lines():
        if line.startswith(b"data:"):
            event = json.loads(line.removeprefix(b"data:"))
            if "error" in event:
                raise SystemExit(event["error"])
            print(event["text_output"], end="", flush=True)
`;
}

function typescript(url, body, needsKey) {
  const key = needsKey ? `,\n    Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\`` : "";
  return `const body = ${typescriptBody(body)};
const answer = await fetch(${JSON.stringify(url)}, {
  method: "POST",
  headers: {
    "Content-Type": "application/json"${key},
  },
  body,
});
if (!answer.ok || !answer.body) throw new Error(await answer.text());
const decoder = new TextDecoder();
let unread = "";
for await (const chunk of answer.body) {
  const frames = (unread + decoder.decode(chunk, { stream: true })).split("\\n\\n");
  unread = frames.pop() ?? "";
  for (const frame of frames) {
    const event = JSON.parse(frame.replace(/^data:/, ""));
    if (event.error) throw new Error(event.error);
    process.stdout.write(event.text_output);
  }
}
`;
}

/** An object where JavaScript can hold it, else the text itself: a large seed would be rounded. */
function typescriptBody(body) {
  const text = stringify(body, 2);
  const isExact = stringify(JSON.parse(text), 2) === text;
  return isExact ? `JSON.stringify(${text})` : JSON.stringify(stringify(body));
}

function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function pythonLiteral(value, margin = "") {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value !== "object") return stringify(value);
  const inner = `${margin}    `;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((item) => pythonLiteral(item, inner))
    : Object.entries(value).map(
        ([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, inner)}`,
      );
  const [open, close] = isList ? "[]" : "{}";
  return members.length
    ? `${open}\n${inner}${members.join(`,\n${inner}`)},\n${margin}${close}`
    : open + close;
}
