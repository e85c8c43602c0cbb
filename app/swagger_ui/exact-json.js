// Swagger UI reads and writes what is sent, answered and shown with JSON.parse and JSON.stringify,
// which round integers beyond 2^53. Here, before it is loaded, they learn to keep them, as BigInt.

import { parse, stringify } from "../playground/json.js";

const native = { parse: JSON.parse, stringify: JSON.stringify };
const MAY_BE_LARGE = /\d{16}/;

JSON.parse = (text, reviver) =>
  reviver || !MAY_BE_LARGE.test(text) ? native.parse(text, reviver) : parse(String(text));

JSON.stringify = (value, replacer, indent) => {
  try {
    return native.stringify(value, replacer, indent);
  } catch (error) {
    if (replacer || !error.message.includes("BigInt")) throw error;
    return stringify(value, typeof indent === "string" ? indent.length : indent);
  }
};
