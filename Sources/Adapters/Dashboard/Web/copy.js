"use strict";

/* Adds a button that copies a text, where the browser can. */
for (const place of document.querySelectorAll("[data-copy]")) {
  const text = document.getElementById(place.dataset.copy);
  if (!text || !navigator.clipboard) continue;
  const button = document.createElement("button");
  const status = document.createElement("span");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", "Copy " + place.dataset.copy);
  status.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      status.textContent = " Copied";
    } catch {
      status.textContent = " Select the text and copy it";
      getSelection().selectAllChildren(text);
    }
  });
  place.append(" ", button, status);
}
