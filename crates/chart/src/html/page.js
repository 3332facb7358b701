"use strict";
(() => {
  const root = document.documentElement;
  const marked = [...document.querySelectorAll("[data-e]")];
  const places = element => element.dataset.e.split(" ");
  let chosen = null;

  const light = place => {
    root.classList.toggle("lit", place !== null);
    for (const element of marked) {
      element.classList.toggle("on", place !== null && places(element).includes(place));
    }
  };
  for (const button of document.querySelectorAll("button.chip")) {
    const place = button.dataset.e;
    button.addEventListener("mouseenter", () => { if (chosen === null) light(place); });
    button.addEventListener("mouseleave", () => { if (chosen === null) light(null); });
    button.addEventListener("click", () => choose(chosen === place ? null : place));
  }
  const choose = place => {
    chosen = place;
    light(place);
    for (const button of document.querySelectorAll("button.chip")) {
      button.setAttribute("aria-pressed", String(button.dataset.e === place));
    }
  };
  for (const element of document.querySelectorAll("span.chip, svg .box")) {
    element.style.cursor = "pointer";
    element.addEventListener("click", () => choose(chosen === element.dataset.e ? null : element.dataset.e));
  }
  document.addEventListener("keydown", event => { if (event.key === "Escape") choose(null); });

  const tabs = [...document.querySelectorAll("[role=tab]")];
  const show = chosenTab => {
    for (const tab of tabs) {
      const selected = tab === chosenTab;
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !selected;
    }
  };
  tabs.forEach((tab, number) => {
    tab.addEventListener("click", () => show(tab));
    tab.addEventListener("keydown", event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      const next = tabs[(number + step + tabs.length) % tabs.length];
      show(next);
      next.focus();
    });
  });
  if (tabs.length > 1) {
    root.classList.add("scripted");
    show(tabs[0]);
  }
})();
