// One field of the document as a control: label, description, slider or box, and a way back.

import { element, uniqueId } from "./elements.js";
import { fieldHint, say, t } from "./texts.js";
import { KINDS, Unreadable } from "./values.js";

const STEPS_OF_A_SLIDER = 100;

export class Field {
  constructor(schema, onChange) {
    this.schema = schema;
    this.name = schema.name;
    this.value = undefined; // not set: not sent
    this.fault = null;
    this.#onChange = onChange;
    this.#build();
    this.set(undefined);
  }

  #onChange;
  #input;
  #slider = null;
  #undo;
  #fault;
  #hint;

  /** Show a value, undefined for none; what the field implies is left alone. */
  set(value) {
    const { schema } = this;
    const isDefault = value !== undefined && sameText(value, schema.default);
    this.value = isDefault ? undefined : value;
    const shown = this.value ?? schema.default;
    if (schema.kind === "boolean") this.#input.checked = Boolean(shown);
    else this.#input.value = isEmpty(shown) ? "" : KINDS[schema.kind].write(shown);
    this.complain(null);
    this.#show();
  }

  /** Say what is wrong with the field, null for nothing. */
  complain(message) {
    this.fault = message;
    this.#fault.textContent = message ?? "";
    this.#fault.hidden = !message;
    this.#input.setAttribute("aria-invalid", String(Boolean(message)));
  }

  focus() {
    this.element.closest("details")?.setAttribute("open", "");
    this.#input.focus();
  }

  /** After a change of language. */
  translate() {
    this.#hint.replaceChildren(...withCode(fieldHint(this.schema)));
    this.#show();
  }

  #build() {
    const id = uniqueId(this.name);
    this.#hint = element("p", { id: `${id}-hint`, class: "hint", hidden: true });
    this.#fault = element("p", { id: `${id}-fault`, class: "fault", hidden: true });
    this.#input = this.#makeInput(id);
    this.#undo = element(
      "button",
      { type: "button", class: "icon undo", "data-label": "undo", "data-field": this.name },
      "↺",
    );
    this.#undo.addEventListener("click", () => {
      this.set(undefined);
      this.#input.focus();
      this.#onChange(this);
    });
    const isBoolean = this.schema.kind === "boolean";
    const label = element("label", { for: id, id: `${id}-label` }, this.name);
    const head = element(
      "div",
      { class: "head" },
      isBoolean ? this.#input : null,
      label,
      this.#undo,
      this.#makeHelp(id),
    );
    this.#slider = this.schema.range && this.#makeSlider(id);
    const controls = isBoolean
      ? null
      : element("div", { class: "controls" }, this.#slider, this.#input);
    this.element = element(
      "div",
      { class: `field ${this.schema.kind}`, "data-name": this.name },
      head,
      controls,
      this.#hint,
      this.#fault,
    );
    this.translate();
  }

  #makeHelp(id) {
    const help = element(
      "button",
      {
        type: "button",
        class: "icon help",
        "data-label": "help",
        "data-field": this.name,
        "aria-expanded": "false",
        "aria-controls": `${id}-hint`,
      },
      "?",
    );
    help.addEventListener("click", () => {
      this.#hint.hidden = !this.#hint.hidden;
      help.setAttribute("aria-expanded", String(!this.#hint.hidden));
    });
    return help;
  }

  #makeInput(id) {
    const { kind } = this.schema;
    const described = { id, "aria-describedby": `${id}-hint ${id}-fault`, autocomplete: "off" };
    if (kind === "boolean") {
      const box = element("input", { ...described, type: "checkbox" });
      box.addEventListener("change", () => this.#accept(box.checked));
      return box;
    }
    const isLong = kind === "strings" || kind === "map";
    const input = isLong
      ? element("textarea", {
          ...described,
          rows: 2,
          spellcheck: "false",
          "data-placeholder": `placeholder_${kind}`,
        })
      : element("input", {
          ...described,
          type: "text",
          inputmode: kind === "number" ? "decimal" : "numeric",
          "data-placeholder": kind === "integers" ? "placeholder_integers" : "placeholder_none",
        });
    input.addEventListener("input", () => this.#read(input.value));
    return input;
  }

  #makeSlider(id) {
    const [low, high] = this.schema.range;
    const step = this.schema.type === "integer" ? 1 : niceStep((high - low) / STEPS_OF_A_SLIDER);
    const slider = element("input", {
      type: "range",
      id: `${id}-slider`,
      "aria-labelledby": `${id}-label`,
      "aria-describedby": `${id}-hint`,
      min: Math.floor(low / step) * step,
      max: high,
      step,
    });
    slider.addEventListener("input", () => {
      const value = Math.min(Math.max(Number(slider.value), low), high);
      this.#input.value = String(value);
      this.#accept(value);
    });
    return slider;
  }

  #read(text) {
    try {
      this.#accept(KINDS[this.schema.kind].read(text));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.complain(t(`unreadable_${error.message}`));
    }
  }

  #accept(value) {
    this.value = value !== undefined && sameText(value, this.schema.default) ? undefined : value;
    this.complain(this.#outOfBounds(value));
    this.#show();
    this.#onChange(this);
  }

  /** Only numbers are judged here; of the rest the server says what is wrong. */
  #outOfBounds(value) {
    const { minimum, maximum, exclusiveMinimum } = this.schema;
    if (typeof value !== "number" && typeof value !== "bigint") return null;
    if (minimum !== undefined && (value < minimum || (exclusiveMinimum && value === minimum))) {
      return say(exclusiveMinimum ? "above" : "at_least", { bound: minimum });
    }
    if (maximum !== undefined && value > maximum) return say("at_most", { bound: maximum });
    return null;
  }

  #show() {
    const isSet = this.value !== undefined;
    this.element.classList.toggle("is-set", isSet);
    this.#undo.hidden = !isSet;
    if (!this.#slider) return;
    const [low] = this.schema.range;
    const shown = this.value ?? this.schema.default;
    this.#slider.value = String(shown ?? low);
    this.#slider.classList.toggle("is-off", shown === undefined);
    if (shown === undefined) this.#slider.setAttribute("aria-valuetext", t("not_set"));
    else this.#slider.setAttribute("aria-valuetext", String(shown));
  }
}

/** Descriptions are Markdown, of which they use code alone. */
function withCode(text) {
  return text.split("`").map((part, index) => (index % 2 ? element("code", {}, part) : part));
}

function isEmpty(value) {
  return value === undefined || value === null || value.length === 0;
}

function sameText(value, other) {
  return other !== undefined && (isEmpty(value) ? isEmpty(other) : String(value) === String(other));
}

/** 1, 2 or 5 times a power of ten, at most the width. */
function niceStep(width) {
  const power = 10 ** Math.floor(Math.log10(width));
  const factor = [5, 2, 1].find((each) => each * power <= width * 1.0001);
  return Number((factor * power).toPrecision(1));
}
