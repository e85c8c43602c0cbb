// Tells those who listen what comes, in sentences and not token by token.

const PAUSE_MS = 4000;
const SENTENCE = /^[\s\S]*[.!?。！？\n]/;

export class Announcer {
  #region = document.getElementById("announcer");
  #answers = [];
  #timer = null;

  /** Follow answers as they grow. */
  start(answers, greeting) {
    this.#answers = answers.map((answer) => ({ answer, told: 0 }));
    this.say(greeting);
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#tell(false), PAUSE_MS);
  }

  end() {
    clearInterval(this.#timer);
    this.#tell(true);
  }

  say(text) {
    this.#region.textContent = text;
  }

  #tell(isOver) {
    const news = this.#answers.flatMap((each) => {
      const untold = each.answer.text.slice(each.told);
      const part = isOver ? untold : (SENTENCE.exec(untold)?.[0] ?? "");
      each.told += part.length;
      return [part, isOver ? each.answer.summary() : ""];
    });
    const text = news.filter((each) => each.trim()).join(" ");
    if (text) this.say(text);
  }
}
