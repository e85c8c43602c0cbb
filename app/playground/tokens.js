// Generated tokens as text, each shaded by its probability; one at a time can be looked into.

import { element } from "./elements.js";
import { t } from "./texts.js";

const MOVES = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 };

export class Tokens {
  #text;
  #table;
  #tokens = [];
  #chosen = null;

  /** Tokens go into the one element, what is said of the chosen one into the other. */
  constructor(text, table) {
    this.#text = text;
    this.#table = table;
    text.addEventListener("click", (event) => this.#choose(this.#indexOf(event.target)));
    text.addEventListener("keydown", (event) => this.#move(event));
  }

  get length() {
    return this.#tokens.length;
  }

  clear() {
    this.#tokens = [];
    this.#chosen = null;
    this.#table.replaceChildren();
  }

  add(tokens) {
    for (const token of tokens) {
      const span = element(
        "span",
        { class: "token", "data-index": this.#tokens.length },
        token.text,
      );
      span.style.setProperty("--p", Math.exp(token.logprob).toFixed(4));
      span.title = percent(token.logprob);
      this.#tokens.push({ token, span });
      this.#text.append(span);
    }
  }

  translate() {
    if (this.#chosen !== null) this.#describe(this.#tokens[this.#chosen].token);
  }

  #indexOf(node) {
    const index = node.closest?.(".token")?.dataset.index;
    return index === undefined ? null : Number(index);
  }

  #move(event) {
    if (!this.#tokens.length) return;
    const last = this.#tokens.length - 1;
    const steps = { Home: -last, End: last, ...MOVES };
    if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = this.#chosen === null ? 0 : this.#chosen + steps[event.key];
    this.#choose(Math.min(Math.max(next, 0), last));
  }

  #choose(index) {
    if (index === null) return;
    if (this.#chosen !== null) this.#tokens[this.#chosen].span.classList.remove("chosen");
    this.#chosen = index;
    const { token, span } = this.#tokens[index];
    span.classList.add("chosen");
    span.scrollIntoView({ block: "nearest" });
    this.#describe(token);
  }

  #describe(token) {
    const others = token.top_logprobs.some((each) => each.token_id === token.token_id)
      ? token.top_logprobs
      : [...token.top_logprobs, token];
    const rows = others.map((each) =>
      element(
        "tr",
        { class: each.token_id === token.token_id && "is-chosen" },
        element("th", { scope: "row" }, visible(each.text)),
        element("td", {}, percent(each.logprob)),
        element("td", { class: "bar" }, bar(each.logprob)),
      ),
    );
    const head = element(
      "tr",
      {},
      element("th", { scope: "col" }, t("token")),
      element("th", { scope: "col", colspan: 2 }, t("probability")),
    );
    this.#table.replaceChildren(
      element(
        "table",
        {},
        element("caption", {}, t("likely")),
        element("thead", {}, head),
        element("tbody", {}, ...rows),
      ),
    );
  }
}

function percent(logprob) {
  return `${(100 * Math.exp(logprob)).toFixed(1)} %`;
}

function bar(logprob) {
  const made = element("span", { "aria-hidden": "true" });
  made.style.setProperty("--p", Math.exp(logprob).toFixed(4));
  return made;
}

/** White space that would not show, shown. */
function visible(text) {
  return text.replaceAll(" ", "␣").replaceAll("\n", "↵").replaceAll("\t", "⇥") || "∅";
}
