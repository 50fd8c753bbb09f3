"use strict";

/* The form of a file: sends it with progress, accepts it wherever it is dropped, and proposes the zone of the browser. */
(() => {
  const form = document.querySelector("form[data-upload]");
  if (!form) return;
  const input = form.querySelector('input[type="file"]');
  const zone = form.querySelector("[data-zone]");
  const button = form.querySelector('button[type="submit"]');
  const status = document.getElementById("upload");
  let isSending = false;

  if (zone && !zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";

  const report = (text) => {
    status.className = "notice warn";
    status.textContent = text;
  };

  const ended = () => {
    isSending = false;
    button.disabled = false;
  };

  const send = () => {
    const file = input.files[0];
    const request = new XMLHttpRequest();
    const bar = document.createElement("progress");
    bar.max = 1;
    bar.value = 0;
    bar.setAttribute("aria-label", "Sent");
    isSending = true;
    button.disabled = true;
    status.className = "quiet";
    status.replaceChildren("Sending ", file.name, " ", bar);
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) bar.value = event.loaded / event.total;
    });
    request.addEventListener("load", () => {
      if (request.status === 200) return location.assign(request.responseURL);
      const page = new DOMParser().parseFromString(request.responseText, "text/html");
      const problem = page.getElementById("problem") || page.querySelector(".notice.warn[role=alert]");
      ended();
      report(problem ? problem.textContent : file.name + ": the file was rejected (" + request.status + ")");
    });
    request.addEventListener("error", () => {
      ended();
      report(file.name + ": the connection ended; check that healthsync still runs, and try again");
    });
    request.open("POST", form.action);
    request.send(new FormData(form));
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!isSending) send();
  });

  const holdsFile = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files");
  document.addEventListener("dragover", (event) => {
    if (holdsFile(event)) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    if (isSending || !event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
})();
