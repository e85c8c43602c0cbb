// What the served OpenAPI document says: every field, bound, default, description and example.

import { parse } from "./json.js";

const INT32_MAX = 2 ** 31 - 1; // the type's own bound, which says nothing of this server

export async function loadDocument() {
  const response = await fetch("openapi.json");
  if (!response.ok) throw new Error(`openapi.json: ${response.status}`);
  return new ApiDocument(parse(await response.text()));
}

export class ApiDocument {
  constructor(root) {
    this.root = root;
    this.title = root.info.title;
    this.version = root.info.version;
    this.modelName = root.components.parameters.ModelName.example;
    this.needsKey = (root.security ?? []).length > 0;
    const content = this.#operation("generate_stream").operation.requestBody;
    this.request = this.resolve(content).content["application/json"];
    this.body = this.merged(this.request.schema);
    this.prompt = this.#prompt();
    this.fields = this.#fields();
  }

  /** Where an operation is, for our model, relative to this page. */
  path(operationId) {
    const { path } = this.#operation(operationId);
    return path.slice(1).replace("{model_name}", encodeURIComponent(this.modelName));
  }

  resolve(node) {
    while (node.$ref) {
      node = node.$ref
        .slice(2)
        .split("/")
        .reduce((target, name) => target[name], this.root);
    }
    return node;
  }

  /** One view of a schema: what its `$ref` and `allOf` say, with its own keys on top. */
  merged(schema) {
    const { allOf = [], ...own } = this.resolve(schema);
    const parts = allOf.map((part) => this.merged(part));
    const properties = Object.assign(
      {},
      ...parts.map((part) => part.properties ?? {}),
      own.properties ?? {},
    );
    const view = Object.assign({}, ...parts, own);
    return Object.keys(properties).length ? { ...view, properties } : view;
  }

  /** Named requests, with every field by its own name under `parameters`. */
  examples() {
    return Object.values(this.request.examples)
      .map((example) => this.resolve(example))
      .map(({ summary, value }) => ({ summary, ...this.#canonical(value) }));
  }

  /** What setting a field for the first time sets beside it, as its spelling at top level does. */
  implied(name) {
    return this.merged(this.body.properties[name] ?? {})["x-implies"] ?? {};
  }

  #operation(operationId) {
    for (const [path, item] of Object.entries(this.root.paths)) {
      for (const operation of Object.values(item)) {
        if (operation.operationId === operationId) return { path, operation };
      }
    }
    throw new Error(`the document has no operation ${operationId}`);
  }

  #prompt() {
    const { oneOf, ...view } = this.merged(this.body.properties.text_input);
    return { ...view, ...oneOf.find((each) => each.type === "string") };
  }

  /** The fields of `parameters` that have an effect, by their one name. */
  #fields() {
    const { properties } = this.merged(this.body.properties.parameters);
    return Object.entries(properties)
      .map(([name, schema]) => ({ ...this.merged(schema), name }))
      .filter((field) => !field["x-alias-of"] && !field["x-ignored"])
      .map((field) => ({ ...field, kind: this.#kind(field), range: range(field) }));
  }

  #kind(field) {
    if (field.format === "uint64") return "bigint";
    if (field.type === "integer" || field.type === "number" || field.type === "boolean")
      return field.type;
    if (field.additionalProperties) return "map";
    if (field.type === "array") return "integers";
    return "strings";
  }

  #canonical(value) {
    const parameters = {};
    const { properties } = this.merged(this.body.properties.parameters);
    this.#collect(value, this.body.properties, "parameters.", parameters);
    this.#collect(value.parameters ?? {}, properties, "", parameters);
    return { prompt: [value.text_input].flat()[0], parameters };
  }

  #collect(values, properties, prefix, parameters) {
    for (const [name, value] of Object.entries(values)) {
      const schema = this.merged(properties[name] ?? {});
      const target = (schema["x-alias-of"] ?? (prefix ? "" : name)).replace(prefix, "");
      if (!this.fields.some((field) => field.name === target) || value === "") continue;
      Object.assign(parameters, schema["x-implies"] ?? {}, { [target]: value });
    }
  }
}

/** Where a slider begins and ends: the advised values, else bounds that are more than the type's. */
function range(field) {
  if (field.type !== "integer" && field.type !== "number") return null;
  if (field["x-advised"]) return field["x-advised"];
  const { minimum, maximum } = field;
  return minimum === undefined || !(maximum < INT32_MAX) ? null : [minimum, maximum];
}
