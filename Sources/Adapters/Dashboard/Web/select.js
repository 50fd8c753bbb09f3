"use strict";

/* Selects several boxes of a form: all at once, a range with shift, or by the columns of its chart. */
const makeSelectable = (form) => {
  const boxes = [...form.querySelectorAll('input[type="checkbox"][name="' + form.dataset.select + '"]')];
  const place = form.querySelector(".selection");
  const all = document.createElement("button");
  const count = document.createElement("output");
  let last = null;

  /* How many, or hours and steps together. */
  const words = (chosen) => {
    if (!chosen.length || chosen[0].dataset.steps === undefined) return chosen.length + " selected";
    const steps = chosen.reduce((sum, box) => sum + Number(box.dataset.steps), 0);
    return chosen.length + " h · " + new Intl.NumberFormat(navigator.language).format(Math.round(steps)) + " steps";
  };

  const show = () => {
    const chosen = boxes.filter((box) => box.checked);
    count.textContent = " " + words(chosen);
    all.textContent = chosen.length < boxes.length ? "Select all" : "Select none";
    for (const box of chosen) box.closest("details")?.setAttribute("open", "");
  };

  all.type = "button";
  all.addEventListener("click", () => {
    const choose = boxes.some((box) => !box.checked);
    for (const box of boxes) box.checked = choose;
    show();
  });

  boxes.forEach((box, index) => {
    box.addEventListener("click", (event) => {
      if (event.shiftKey && last !== null) {
        const [low, high] = [Math.min(last, index), Math.max(last, index)];
        for (const other of boxes.slice(low, high + 1)) other.checked = box.checked;
      }
      last = index;
      show();
    });
  });

  for (const link of document.querySelectorAll('.chart a[href^="#"]')) {
    const box = document.getElementById(link.getAttribute("href").slice(1));
    if (!box || !boxes.includes(box)) continue;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      box.checked = !box.checked;
      show();
    });
  }

  place.append(all, count);
  show();
};

const makeAllSelectable = (root) => root.querySelectorAll("form[data-select]").forEach(makeSelectable);
document.addEventListener("replaced", (event) => makeAllSelectable(event.target));
makeAllSelectable(document);
