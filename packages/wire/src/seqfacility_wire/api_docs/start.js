// Shows the document that lies beside the page.
window.addEventListener("load", () => {
  window.SwaggerUIBundle({
    url: "openapi.json",
    dom_id: "#document",
    deepLinking: true,
    docExpansion: "none",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    showExtensions: true,
    validatorUrl: null,
  });
});
