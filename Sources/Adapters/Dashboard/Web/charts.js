"use strict";

/* Charts: one tab stop each, with arrow keys between the columns, and the words of a column on hover, focus and touch. */
(() => {
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.setAttribute("aria-hidden", "true");
  tip.hidden = true;
  document.body.append(tip);
  let shown = null;

  const show = (place) => {
    tip.textContent = place.getAttribute("aria-label");
    tip.hidden = false;
    const box = place.getBoundingClientRect();
    const half = tip.offsetWidth / 2;
    const most = document.documentElement.clientWidth - half - 4;
    const middle = Math.max(half + 4, Math.min(box.left + box.width / 2, most));
    tip.style.left = middle - half + scrollX + "px";
    tip.style.top = Math.max(0, box.top + scrollY - tip.offsetHeight) + "px";
    shown = place;
  };

  const hide = () => {
    tip.hidden = true;
    shown = null;
  };

  const prepare = (chart) => {
    const places = [...chart.children].filter((child) => child.hasAttribute("aria-label"));
    if (!places.length) return;
    let current = places.length - 1;
    const choose = (index) => {
      places[current].setAttribute("tabindex", "-1");
      current = Math.max(0, Math.min(index, places.length - 1));
      places[current].setAttribute("tabindex", "0");
    };
    for (const place of places) {
      place.setAttribute("tabindex", "-1");
      /* The browser would show its own words, too. */
      place.querySelector(":scope > title")?.remove();
    }
    choose(current);

    const at = (target) => places.findIndex((place) => place.contains(target));
    /* A drawing that listens for focus is itself a stop in Chromium. */
    chart.parentElement.addEventListener("focusin", (event) => {
      const index = at(event.target);
      if (index < 0) return;
      choose(index);
      show(places[index]);
    });
    chart.parentElement.addEventListener("focusout", hide);
    chart.addEventListener("keydown", (event) => {
      const [back, forth] = [current - 1, current + 1];
      const steps = {
        ArrowLeft: back, ArrowUp: back, ArrowRight: forth, ArrowDown: forth, Home: 0, End: places.length - 1,
      };
      if (event.key === "Escape") hide();
      if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      choose(steps[event.key]);
      places[current].focus();
    });
    let isSecond = true;
    chart.addEventListener("pointerdown", (event) => {
      const index = at(event.target);
      if (index < 0) return;
      isSecond = event.pointerType !== "touch" || shown === places[index];
    });
    chart.addEventListener("pointerover", (event) => {
      const index = at(event.target);
      if (index >= 0 && event.pointerType !== "touch") show(places[index]);
    });
    chart.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "touch") hide();
    });
    /* The first touch shows the words, the second follows the link. Links within the page select something. */
    chart.addEventListener("click", (event) => {
      const index = at(event.target);
      if (index < 0) return hide();
      if (!isSecond && !places[index].getAttribute("href")?.startsWith("#")) event.preventDefault();
      show(places[index]);
      isSecond = true;
    });
  };

  const prepareAll = (root) => root.querySelectorAll(".chart").forEach(prepare);
  document.addEventListener("replaced", (event) => {
    hide();
    prepareAll(event.target);
  });
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest(".chart")) hide();
  });
  prepareAll(document);
})();
