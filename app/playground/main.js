// The page: prompt, settings and answers, put together.

import { Announcer } from "./announcer.js";
import { Answer } from "./answer.js";
import { isReady, keepKey, readKey } from "./client.js";
import { showCode } from "./code-dialog.js";
import { loadDocument } from "./document.js";
import { element } from "./elements.js";
import { Settings } from "./settings.js";
import { currentLanguage, say, setLanguage, t, translate } from "./texts.js";

const READY_POLL_MS = 2000;
const LETTERS = ["A", "B"];
const $ = (id) => document.getElementById(id);

class Page {
  #document;
  #columns; // of A and B: {settings, answer, tab}
  #shown = 0; // whose settings are shown
  #hasCompared = false;
  #announcer = new Announcer();

  constructor(apiDocument) {
    this.#document = apiDocument;
    this.#columns = LETTERS.map((letter, index) => this.#makeColumn(letter, index));
    this.#fill();
    this.#listen();
    this.#arrange();
    this.translate();
    void this.#watchReadiness();
  }

  translate() {
    translate(document);
    document.title = `${this.#document.title}: ${t("page")}`;
    for (const { tab, letter } of this.#columns)
      tab.textContent = say("settings_of", { name: letter });
    for (const { settings, answer } of this.#columns) {
      settings.translate();
      answer.translate();
    }
  }

  get #used() {
    return $("compare").checked ? this.#columns : this.#columns.slice(0, 1);
  }

  #makeColumn(letter, index) {
    const settings = new Settings(this.#document, () => answer.showSettings());
    const answer = new Answer(this.#document, settings, {
      replay: (each) => this.#replay(each),
      code: (each) => this.#showCode(each),
    });
    const tab = element("button", {
      type: "button",
      role: "tab",
      id: `tab-${letter}`,
      "aria-controls": `panel-${letter}`,
      "data-letter": letter,
    });
    const panel = element("div", { id: `panel-${letter}` }, settings.element);
    tab.addEventListener("click", () => this.#select(index));
    $("which").append(tab);
    $("settings").append(panel);
    $("answers").append(answer.element);
    return { letter, settings, answer, tab, panel };
  }

  #fill() {
    $("model-name").textContent = this.#document.modelName;
    $("prompt").maxLength = this.#document.prompt.maxLength;
    $("prompt").value ||= this.#document.prompt.example;
    $("key-row").hidden = !this.#document.needsKey;
    $("key").value = readKey();
    this.#document
      .examples()
      .forEach(({ summary }, index) =>
        $("example").append(element("option", { value: index }, summary)),
      );
    $("language").value = currentLanguage();
    $("theme").value = document.documentElement.dataset.theme ?? "auto";
  }

  #listen() {
    $("form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#run(this.#used.map(({ answer }) => answer));
    });
    $("stop").addEventListener("click", () => this.#stop());
    $("clear").addEventListener("click", () => this.#replaceSettings({}));
    $("example").addEventListener("change", () => this.#useExample());
    $("compare").addEventListener("change", () => this.#arrange());
    $("shade").addEventListener("change", () => this.#shade());
    $("key").addEventListener("input", () => keepKey($("key").value.trim()));
    $("which").addEventListener("keydown", (event) => this.#moveTab(event));
    $("language").addEventListener("change", () => {
      setLanguage($("language").value);
      this.translate();
    });
    $("theme").addEventListener("change", () => setTheme($("theme").value));
    document.addEventListener("keydown", (event) => this.#shortcut(event));
  }

  #shortcut(event) {
    if ($("code").open) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) $("form").requestSubmit();
    if (event.key === "Escape") this.#stop();
  }

  /** One column or two; a second one begins as a copy of the first. */
  #arrange() {
    const [first, second] = this.#columns;
    const isComparing = $("compare").checked;
    if (isComparing && !this.#hasCompared) second.settings.replace(first.settings.values());
    this.#hasCompared ||= isComparing;
    $("which").hidden = !isComparing;
    $("answers").classList.toggle("is-comparing", isComparing);
    second.answer.element.hidden = !isComparing;
    for (const { answer, letter } of this.#columns) answer.name(isComparing ? letter : "");
    this.#select(isComparing ? this.#shown : 0);
  }

  #select(index) {
    const isComparing = $("compare").checked;
    this.#shown = index;
    this.#columns.forEach(({ tab, panel }, each) => {
      const isShown = each === index;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      panel.hidden = !isShown;
      if (isComparing) {
        panel.setAttribute("role", "tabpanel");
        panel.setAttribute("aria-labelledby", tab.id);
      } else {
        panel.removeAttribute("role");
        panel.removeAttribute("aria-labelledby");
      }
    });
  }

  #moveTab(event) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    this.#select(1 - this.#shown);
    this.#columns[this.#shown].tab.focus();
  }

  #useExample() {
    const example = this.#document.examples()[Number($("example").value)];
    if ($("example").value === "" || !example) return;
    $("prompt").value = example.prompt;
    this.#replaceSettings(example.parameters);
  }

  #replaceSettings(values) {
    const { settings, answer } = this.#columns[this.#shown];
    settings.replace(values);
    answer.showSettings();
  }

  #shade() {
    for (const { settings, answer } of this.#columns) {
      settings.set("logprobs", $("shade").checked ? settings.example("logprobs") : undefined);
      answer.showSettings();
    }
  }

  async #run(answers) {
    if (this.#columns.some(({ answer }) => answer.isRunning)) return;
    if (!this.#isComplete(answers)) return;
    this.#setRunning(true);
    this.#announcer.start(answers, t("generating"));
    await Promise.all(answers.map((answer) => this.#runOne(answer)));
    this.#announcer.end();
    this.#setRunning(false);
  }

  async #runOne(answer) {
    const error = await answer.run({ id: newId(), ...this.#body(answer) });
    if (!error) return;
    answer.settings.blame(error.message);
    if (error.status === 401) $("key").focus();
  }

  #isComplete(answers) {
    this.#complain("");
    if (!$("prompt").value) {
      this.#complain(t("no_prompt"));
      $("prompt").focus();
      return false;
    }
    for (const { settings } of answers) {
      const field = settings.faulty();
      if (!field) continue;
      this.#select(this.#columns.findIndex((column) => column.settings === settings));
      this.#complain(say("fix_field", { field: field.name }));
      field.focus();
      return false;
    }
    return true;
  }

  #complain(message) {
    $("failure").textContent = message;
    $("failure").hidden = !message;
  }

  #body(answer) {
    return { text_input: $("prompt").value, parameters: answer.settings.parameters() };
  }

  #stop() {
    for (const { answer } of this.#columns) void answer.stop();
  }

  #replay(answer) {
    answer.settings.set("seed", answer.seed);
    answer.showSettings();
    void this.#run([answer]);
  }

  #showCode(answer) {
    const url = new URL(this.#document.path("generate_stream"), document.baseURI).href;
    showCode(url, this.#body(answer), this.#document.needsKey);
  }

  #setRunning(isRunning) {
    const [from, to] = isRunning ? [$("run"), $("stop")] : [$("stop"), $("run")];
    to.disabled = false;
    if (document.activeElement === from) to.focus(); // what is disabled loses the focus
    from.disabled = true;
    for (const each of document.querySelectorAll('[data-part="replay"]')) each.disabled = isRunning;
  }

  async #watchReadiness() {
    const ready = await isReady();
    const state = ready === null ? "unreachable" : ready ? "ready" : "loading";
    $("readiness").dataset.text = state;
    if ($("readiness").textContent !== t(state)) $("readiness").textContent = t(state);
    if (!ready) setTimeout(() => this.#watchReadiness(), READY_POLL_MS);
  }
}

function setTheme(name) {
  if (name === "auto") {
    localStorage.removeItem("genspec.theme");
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem("genspec.theme", name);
    document.documentElement.dataset.theme = name;
  }
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `playground-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

try {
  new Page(await loadDocument());
} catch (error) {
  $("failure").textContent = say("failed", { message: error.message });
  $("failure").hidden = false;
  throw error;
}
