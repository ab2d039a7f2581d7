// Tables are put in order by a click on the head of a column, numbers first from the top.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const key = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.key === undefined ? cell.textContent : Number(cell.dataset.key);
  };
  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const rows = [...table.tBodies[0].rows];
      const numbers = rows.some((row) => row.cells[column].dataset.key !== undefined);
      const before = head.getAttribute("aria-sort");
      const order = (before || (numbers ? "ascending" : "descending")) === "ascending"
        ? "descending" : "ascending";
      const sign = order === "ascending" ? 1 : -1;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      rows.sort((one, other) => {
        const [a, b] = [key(one, column), key(other, column)];
        if (typeof a === "string" || typeof b === "string") {
          return sign * String(a).localeCompare(String(b));
        }
        if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
        return sign * (a - b);
      });
      table.tBodies[0].append(...rows);
    });
  });
}
