// What the page says, in English and Chinese; of fields, the document says it in English.

import { EN } from "./texts-en.js";
import { FIELDS_ZH, ZH } from "./texts-zh.js";

const TEXTS = { en: EN, zh: ZH };
const STORED = "genspec.language";

let language = localStorage.getItem(STORED) ?? (navigator.language.startsWith("zh") ? "zh" : "en");

export function currentLanguage() {
  return language;
}

export function setLanguage(name) {
  language = name in TEXTS ? name : "en";
  localStorage.setItem(STORED, language);
  translate(document);
}

export function t(key) {
  return TEXTS[language][key] ?? EN[key];
}

/** The text with its `{names}` filled in. */
export function say(key, values) {
  return t(key).replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

export function fieldHint(schema) {
  return (language === "zh" && FIELDS_ZH[schema.name]) || schema.description;
}

/** Texts, names and placeholders of all elements below a node. */
export function translate(root) {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  for (const each of root.querySelectorAll("[data-text]")) each.textContent = t(each.dataset.text);
  for (const each of root.querySelectorAll("[data-placeholder]"))
    each.placeholder = t(each.dataset.placeholder);
  for (const each of root.querySelectorAll("[data-label]")) {
    const label = say(each.dataset.label, { field: each.dataset.field, name: each.dataset.name });
    each.setAttribute("aria-label", label);
    if (each.tagName === "BUTTON") each.title = label;
  }
}
