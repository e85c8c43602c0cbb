// What an answer takes, as this page sees it: first token, tokens a second, and so on.

import { say } from "./texts.js";

export class Figures {
  #parts;
  #started = 0;
  #first = null;
  #last = 0;
  #count = 0;
  #ended = null;
  #timer = null;

  constructor(parts) {
    this.#parts = parts;
  }

  start() {
    this.#started = performance.now();
    this.#first = this.#ended = null;
    this.#count = 0;
    this.#timer = setInterval(() => this.show(), 100);
    this.show();
  }

  /** There are so many tokens now. */
  count(tokens) {
    this.#last = performance.now();
    this.#first ??= this.#last;
    this.#count = tokens;
    this.show();
  }

  end() {
    clearInterval(this.#timer);
    this.#ended = performance.now();
    this.show();
  }

  show() {
    if (!this.#started) return;
    const { ttft, speed, tokens, time } = this.#parts;
    const first = this.#first;
    const span = (this.#last - first) / 1000;
    ttft.textContent =
      first === null ? "–" : say("milliseconds", { number: (first - this.#started).toFixed(0) });
    speed.textContent = this.#count > 1 && span > 0 ? ((this.#count - 1) / span).toFixed(1) : "–";
    tokens.textContent = String(this.#count);
    const elapsed = ((this.#ended ?? performance.now()) - this.#started) / 1000;
    time.textContent = say("seconds", { number: elapsed.toFixed(1) });
  }
}
