// One answer: streams it, stops it, shows its text, tokens and figures.

import { ServerError, stop, stream } from "./client.js";
import { element, fromTemplate } from "./elements.js";
import { Figures } from "./figures.js";
import { say, t, translate } from "./texts.js";
import { Tokens } from "./tokens.js";

const STOP_PATIENCE_MS = 3000; // then the connection is closed, which stops the server too

export class Answer {
  #document;
  #parts;
  #figures;
  #tokens;
  #running = null; // what can be stopped: {id, controller, isStopping}
  #text = "";
  #reason = null;
  #error = null;

  /** `actions` are called with this answer: replay(seed), code(). */
  constructor(apiDocument, settings, actions) {
    this.#document = apiDocument;
    this.settings = settings;
    const { root, parts } = fromTemplate("answer-template");
    this.element = root;
    this.#parts = parts;
    this.#figures = new Figures(parts);
    this.#tokens = new Tokens(parts.text, parts.alternatives);
    parts.replay.addEventListener("click", () => actions.replay(this));
    parts.code.addEventListener("click", () => actions.code(this));
    parts.copy.addEventListener("click", () => this.#copy());
    this.name("");
  }

  seed = null;

  get text() {
    return this.#text;
  }

  get isRunning() {
    return this.#running !== null;
  }

  /** `A` or `B` where there are two, else empty. */
  name(letter) {
    this.letter = letter;
    this.#parts.text.dataset.name = letter;
    this.translate();
  }

  translate() {
    const { title, text, reason, replay } = this.#parts;
    title.textContent = this.letter ? say("answer_of", { name: this.letter }) : t("answer");
    text.dataset.empty = t("empty");
    reason.textContent = this.#reason ? t(this.#reason) : "";
    replay.dataset.label = "replay_label";
    replay.dataset.name = String(this.seed ?? "");
    translate(this.element);
    this.#figures.show();
    this.#tokens.translate();
    this.showSettings();
    if (this.#error) this.#explain(this.#error);
  }

  /** The settings that are not the defaults, in short. */
  showSettings() {
    const set = Object.entries(this.settings.values());
    const chips = set.map(([name, value]) =>
      element("span", { class: "chip" }, `${name} ${brief(value)}`),
    );
    this.#parts.chips.replaceChildren(
      ...(chips.length ? chips : [element("span", { class: "chip is-quiet" }, t("defaults"))]),
    );
  }

  /** Generate with these members of a request; what went wrong is shown, and returned. */
  async run(request) {
    const controller = new AbortController();
    this.#running = { id: request.id, controller, isStopping: false };
    this.#clear();
    this.#figures.start();
    try {
      for await (const event of stream(
        this.#document.path("generate_stream"),
        request,
        controller.signal,
      ))
        this.#show(event);
      if (!this.#reason) throw new TypeError("the stream has no end");
    } catch (error) {
      this.#fail(error, controller.signal.aborted);
    }
    this.#running = null;
    this.#figures.end();
    this.element.removeAttribute("aria-busy");
    this.#parts.copy.disabled = !this.#text;
    this.translate();
    return this.#error;
  }

  /** End the generation; the server then ends the stream, with what it has. */
  async stop() {
    const running = this.#running;
    if (!running) return;
    running.isStopping = true;
    const isEnding = await stop(this.#document.path("stop_infer"), running.id);
    if (isEnding) await new Promise((resolve) => setTimeout(resolve, STOP_PATIENCE_MS));
    if (this.#running === running) running.controller.abort();
  }

  /** What to say of the finished answer to who does not see it. */
  summary() {
    if (this.#error) return "";
    const name = this.letter ? say("answer_of", { name: this.letter }) : t("answer");
    return say("done", { name, count: this.#parts.tokens.textContent, reason: t(this.#reason) });
  }

  #clear() {
    const { text, error, seedRow, tokenHelp, copy } = this.#parts;
    this.#text = "";
    this.#reason = this.#error = this.seed = null;
    this.#tokens.clear();
    text.replaceChildren();
    error.hidden = seedRow.hidden = tokenHelp.hidden = true;
    copy.disabled = true;
    this.element.setAttribute("aria-busy", "true");
    this.translate();
  }

  #show({ text_output: text, details }) {
    const box = this.#parts.text;
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    this.#text += text;
    this.#figures.count(details.generated_tokens);
    if (details.tokens) this.#tokens.add(details.tokens);
    else if (text) box.append(text);
    this.#parts.tokenHelp.hidden = !this.#tokens.length;
    if (details.seed !== undefined) this.#showSeed(details.seed);
    if (details.finish_reason) this.#finish(details.finish_reason);
    if (isAtEnd) box.scrollTop = box.scrollHeight;
  }

  #finish(reason) {
    const isByHand = reason === "stop_sequence" && this.#running.isStopping;
    this.#reason = isByHand ? "stopped" : `finished_${reason}`;
  }

  #showSeed(seed) {
    this.seed = seed;
    this.#parts.seed.textContent = String(seed);
    this.#parts.seedRow.hidden = false;
  }

  #fail(error, isAborted) {
    if (isAborted) this.#reason = "stopped";
    else this.#error = error;
  }

  #explain(error) {
    const parts =
      error instanceof ServerError
        ? [
            error.status,
            error.type,
            error.message,
            error.retryAfter && say("retry", { seconds: error.retryAfter }),
          ]
        : [error instanceof TypeError ? t("network") : String(error)];
    this.#parts.error.textContent = parts.filter(Boolean).join(" · ");
    this.#parts.error.hidden = false;
  }

  async #copy() {
    await copyText(this.#text);
    const { copy } = this.#parts;
    copy.textContent = t("copied");
    setTimeout(() => (copy.textContent = t("copy_text")), 1500);
  }
}

export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const box = element("textarea", { class: "visually-hidden" }); // plain HTTP has no clipboard
  box.value = text;
  (document.querySelector("dialog[open]") ?? document.body).append(box);
  box.select();
  document.execCommand("copy");
  box.remove();
}

function brief(value) {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > 24 ? `${text.slice(0, 23)}…` : text;
}
