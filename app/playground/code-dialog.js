// The dialog that shows a request as code.

import { copyText } from "./answer.js";
import { codeFor, LANGUAGES } from "./code.js";
import { element } from "./elements.js";
import { t } from "./texts.js";

const dialog = document.getElementById("code");
const languages = document.getElementById("code-language");
const text = document.getElementById("code-text");
const copied = document.getElementById("code-copied");
let request = null;

for (const [value, name] of Object.entries(LANGUAGES))
  languages.append(element("option", { value }, name));
languages.addEventListener("change", show);
document.getElementById("code-close").addEventListener("click", () => dialog.close());
document.getElementById("code-copy").addEventListener("click", async () => {
  await copyText(text.textContent);
  copied.textContent = t("copied");
});

export function showCode(url, body, needsKey) {
  request = [url, body, needsKey];
  show();
  dialog.showModal();
}

function show() {
  text.textContent = codeFor(languages.value, ...request);
  copied.textContent = "";
}
