
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

  let timer = 0;
  let paused = kept("paused") === "1";
  let loaded = "";
  const wait = () => {
    clearTimeout(timer);
    const seconds = Number(document.querySelector("header").dataset.refresh);
    // Browsers wait for no longer than 31 bits of milliseconds.
    if (seconds > 0 && !paused) timer = setTimeout(load, Math.min(seconds * 1000, 2147483647));
  };
  // A process that starts again answers nothing for a while: then the page stays, and says since when.
  const load = async () => {
    if (!location.protocol.startsWith("http")) return location.reload();
    let text;
    try {
      const answer = await fetch(location.origin + location.pathname + location.search,
        { cache: "no-store", headers: { accept: "text/html" } });
      if (!answer.ok) throw new Error(answer.status);
      text = await answer.text();
    } catch {
      $("loaded").textContent = loaded + ", no answer since";
      return wait();
    }
    if (paused) return;
    const next = new DOMParser().parseFromString(text, "text/html");
    const code = (page) => [...page.querySelectorAll("style, script")].map((one) => one.textContent).join();
    // Another page, or this one of another release.
    if (code(next) !== code(document)) return location.reload();
    const { scrollX, scrollY } = window;
    document.title = next.title;
    document.body.replaceWith(next.body);
    show();
    scrollTo(scrollX, scrollY);
  };

  const show = () => {
    loaded = "as of " + new Date().toLocaleTimeString();
    $("loaded").textContent = loaded;
    const button = $("pause");
    if (button) {
      const tell = () => { button.textContent = paused ? "go on" : "pause"; };
      button.addEventListener("click", () => {
        paused = !paused;
        kept("paused", paused ? "1" : "");
        tell();
        wait();
      });
      tell();
    }
    wait();

    const filter = $("filter");
    const choose = () => {
      const wanted = filter.value.toLowerCase();
      for (const row of document.querySelectorAll("tbody tr, #problems li, #warnings li"))
        row.hidden = !row.textContent.toLowerCase().includes(wanted);
      kept("filter", filter.value);
    };
    filter.value = kept("filter");
    filter.addEventListener("input", choose);
    if (filter.value) choose();

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
  };
  show();
})();
