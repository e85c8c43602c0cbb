// Swagger UI for the document of this server.

/** The document as it is: bounds not rounded, and no value sent that nobody has asked for. */
const asWritten = {
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson: (_, system) => (text) => {
          const document = withTexts(JSON.parse(text));
          Object.values(document.components.parameters).forEach(leaveEmpty);
          system.specActions.updateJsonSpec(document);
        },
      },
    },
  },
};

/** With large integers as texts: those are shown, which a BigInt is not. */
function withTexts(node) {
  if (typeof node === "bigint") return String(node);
  if (Array.isArray(node)) return node.map(withTexts);
  if (node === null || typeof node !== "object") return node;
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, withTexts(value)]));
}

/** Examples of optional parameters would be filled in and sent, the same Idempotency-Key each time. */
function leaveEmpty(parameter) {
  if (!parameter.required) delete parameter.example;
}

SwaggerUIBundle({
  url: "../openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  plugins: [() => asWritten],
});
