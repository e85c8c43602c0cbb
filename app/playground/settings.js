// All fields of the document as one group of controls: what one answer is generated with.

import { element } from "./elements.js";
import { Field } from "./field.js";

// Shown first, in this order; whatever else the document has is under "more".
const FIRST = [
  "max_new_tokens",
  "do_sample",
  "temperature",
  "top_p",
  "top_k",
  "repetition_penalty",
  "seed",
  "stop",
];
const ALWAYS_SENT = { details: true }; // tells the seed, and how many tokens there were

export class Settings {
  #document;
  #fields;
  #onChange;

  constructor(apiDocument, onChange) {
    this.#document = apiDocument;
    this.#onChange = onChange;
    const shown = apiDocument.fields.filter((field) => !(field.name in ALWAYS_SENT));
    this.#fields = new Map(
      shown.map((schema) => [schema.name, new Field(schema, (field) => this.#changed(field))]),
    );
    this.element = this.#build();
  }

  /** What is set, by name. */
  values() {
    const set = [...this.#fields.values()].filter((field) => field.value !== undefined);
    return Object.fromEntries(set.map((field) => [field.name, field.value]));
  }

  /** `parameters` of a request. */
  parameters() {
    return { ...this.values(), ...ALWAYS_SENT };
  }

  /** Show these values and no others. */
  replace(values) {
    for (const field of this.#fields.values()) field.set(values[field.name]);
  }

  set(name, value) {
    this.#fields.get(name).set(value);
  }

  example(name) {
    return this.#fields.get(name).schema.example;
  }

  /** The first field whose value cannot be sent. */
  faulty() {
    return [...this.#fields.values()].find((field) => field.fault) ?? null;
  }

  /** Show an error of the server at the field that it names; the field, or null. */
  blame(message) {
    const [, name] = /^parameters\.(\w+)/.exec(message) ?? [];
    const field = this.#fields.get(name) ?? null;
    field?.complain(message);
    return field;
  }

  translate() {
    for (const field of this.#fields.values()) field.translate();
  }

  #build() {
    const all = [...this.#fields.values()];
    const first = FIRST.flatMap((name) => this.#fields.get(name) ?? []);
    const others = all.filter((field) => !first.includes(field));
    const more = element(
      "details",
      { class: "more" },
      element("summary", { "data-text": "more" }),
      ...others.map((field) => field.element),
    );
    return element("div", { class: "settings" }, ...first.map((field) => field.element), more);
  }

  #changed(field) {
    if (field.value !== undefined) this.#imply(this.#document.implied(field.name));
    this.#onChange();
  }

  #imply(values) {
    for (const [name, value] of Object.entries(values)) {
      const other = this.#fields.get(name);
      if (other && other.value === undefined) other.set(value);
    }
  }
}
