
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  // What the reader has chosen outlives the next load of the page, where the browser lets it.
  const kept = (key, value) => {
    try {
      if (value === undefined) return sessionStorage.getItem("stormless." + key) || "";
      sessionStorage.setItem("stormless." + key, value);
    } catch { /* Not allowed to: then it does not. */ }
    return value || "";
  };

  const seconds = Number(document.querySelector("header").dataset.refresh);
  $("loaded").textContent = "as of " + new Date().toLocaleTimeString();
  if (seconds > 0) {
    const button = $("pause");
    let timer = 0;
    const run = (paused) => {
      clearTimeout(timer);
      // Browsers wait for no longer than 31 bits of milliseconds.
      if (!paused) timer = setTimeout(() => location.reload(), Math.min(seconds * 1000, 2147483647));
      button.textContent = paused ? "go on" : "pause";
      kept("paused", paused ? "1" : "");
    };
    button.addEventListener("click", () => run(kept("paused") === "" && button.textContent === "pause"));
    run(kept("paused") === "1");
  }

  const filter = $("filter");
  const show = () => {
    const wanted = filter.value.toLowerCase();
    for (const row of document.querySelectorAll("tbody tr, #problems li, #warnings li"))
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
    kept("filter", filter.value);
  };
  filter.value = kept("filter");
  filter.addEventListener("input", show);
  if (filter.value) show();

  const sort = (table, column, order) => {
    const head = table.querySelector(`th[data-col="${column}"]`);
    if (!head) return;
    for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    const place = [...head.parentNode.children].indexOf(head);
    const value = (row) => row.children[place].textContent;
    const compare = (one, other) => {
      const [a, b] = [value(one), value(other)];
      const numbers = a !== "" && b !== "" && !isNaN(a) && !isNaN(b);
      return numbers ? a - b : a.localeCompare(b);
    };
    const sign = order === "descending" ? -1 : 1;
    const rows = [...table.tBodies[0].rows].sort((one, other) => sign * compare(one, other));
    table.tBodies[0].append(...rows);
    kept("sort." + table.id, column + " " + order);
  };
  for (const table of document.querySelectorAll("table")) {
    const [column, order] = kept("sort." + table.id).split(" ");
    if (order) sort(table, column, order);
    table.tHead.addEventListener("click", (event) => {
      const head = event.target.closest("th");
      if (!head) return;
      const down = head.getAttribute("aria-sort") !== "descending";
      sort(table, head.dataset.col, down ? "descending" : "ascending");
    });
  }
})();
