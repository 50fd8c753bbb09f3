"use strict";

/* Keeps the parts of a page that are marked data-live up to date: often during a run, rarely otherwise, and not at all
   while the page is hidden. */
(() => {
  const often = 1000;
  const rarely = 10000;
  const mostFailures = 5;
  const focusable = "a[href], button, input, select, summary, [tabindex]";
  const places = [...document.querySelectorAll("[data-live]")];
  if (!places.length) return;

  /* The content as the server sent it, before scripts changed it. */
  const known = new Map(places.map((place) => [place.id, place.innerHTML]));
  const status = document.getElementById("run-status");
  let timer = null;
  let isAsking = false;
  let failures = 0;

  const isInUse = (place) =>
    place.querySelector("form") && (place.contains(document.activeElement) || place.querySelector("input:checked"));

  const replace = (place, fresh) => {
    const index = [...place.querySelectorAll(focusable)].indexOf(document.activeElement);
    const scrolled = [...place.querySelectorAll(".scroll")].map((region) => region.scrollLeft);
    known.set(place.id, fresh.innerHTML);
    place.replaceChildren(...fresh.childNodes);
    place.querySelectorAll(".scroll").forEach((region, at) => { region.scrollLeft = scrolled[at] || 0; });
    if (index >= 0) place.querySelectorAll(focusable)[index]?.focus({ preventScroll: true });
    place.dispatchEvent(new CustomEvent("replaced", { bubbles: true }));
  };

  const show = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const freshStatus = page.getElementById("run-status");
    if (!freshStatus) return;
    for (const place of places) {
      const fresh = page.getElementById(place.id);
      if (fresh && fresh.innerHTML !== known.get(place.id) && !isInUse(place)) replace(place, fresh);
    }
    if (status.textContent !== freshStatus.textContent) status.textContent = freshStatus.textContent;
  };

  const isAtWork = () => document.querySelector("#at-work, #started.in-progress") !== null;

  const wait = () => {
    clearTimeout(timer);
    if (document.visibilityState === "visible" && failures < mostFailures)
      timer = setTimeout(ask, isAtWork() ? often : rarely);
  };

  const ask = async () => {
    if (isAsking || document.visibilityState !== "visible") return;
    isAsking = true;
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (answer.ok) show(await answer.text());
      failures = answer.ok ? 0 : failures + 1;
    } catch {
      failures += 1;
    }
    isAsking = false;
    wait();
  };

  document.addEventListener("visibilitychange", () => {
    failures = 0;
    if (document.visibilityState === "visible") ask();
    else clearTimeout(timer);
  });
  wait();
})();
