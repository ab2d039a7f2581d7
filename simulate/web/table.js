// The table: shows what the server tells, and sends what is clicked or typed. It knows nothing else.
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };
const CARD = /\[([2-9TJQKA])([cdhs])\]/g;
const KEY = "table-token";
const THINKING = "The coach is thinking; about strategies that are new to him up to a minute ...";
const MOST = 7; // choices in a chart

const byId = (id) => document.getElementById(id);
let state = null;
let told = 0; // lines that had been told before the last answer
let picked = new Set();
let busy = false;
let fading = 0;

if (location.hash.length > 1) {
  sessionStorage.setItem(KEY, location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}

function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function card(text, tag = "span") {
  const [rank, suit] = text;
  const found = make(tag, "card" + ("dh".includes(suit) ? " red" : ""), rank, make("span", "", SUITS[suit]));
  found.setAttribute("aria-label", `${RANK_NAMES[rank] || rank} of ${SUIT_NAMES[suit]}`);
  if (tag === "span") found.setAttribute("role", "img");
  found.dataset.card = text;
  return found;
}

// A line of the server's, with its cards drawn.
function pretty(line) {
  const parts = [];
  let end = 0;
  for (const match of line.matchAll(CARD)) {
    parts.push(line.slice(end, match.index), card(match[1] + match[2]));
    end = match.index + match[0].length;
  }
  return [...parts, line.slice(end)];
}

async function ask(path, content) {
  const options = { headers: { "X-Table-Token": sessionStorage.getItem(KEY) || "" } };
  if (content !== undefined) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(content);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The table is closed: simulate play is no longer running.");
  }
  if (response.headers.get("Content-Type") !== "application/json") throw new Error(await response.text());
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

async function doing(work) {
  if (busy) return;
  busy = true;
  for (const button of document.querySelectorAll("#choices button, #hand button")) button.disabled = true;
  const patience = setTimeout(() => {
    if (state && state.hints) byId("keys").textContent = THINKING;
  }, 400);
  try {
    await work();
    byId("trouble").hidden = true;
  } catch (error) {
    byId("trouble").textContent = error.message;
    byId("trouble").hidden = false;
    if (state) draw();
  }
  clearTimeout(patience);
  busy = false;
  document.body.dataset.number = state ? `${state.index}:${state.number}` : "";
}

function take(found) {
  state = found;
  picked = new Set();
  draw();
  clearTimeout(fading);
  fading = setTimeout(settle, 2500);
}

// What comes in comes in once, and not again when it is shown elsewhere.
function settle() {
  for (const each of document.querySelectorAll(".fresh")) each.classList.remove("fresh");
}

// Show the last of many lines; where the first are out of sight they fade.
function toEnd(list) {
  list.scrollTop = list.scrollHeight;
  list.classList.toggle("cut", list.scrollTop > 0);
}

const send = (answer) => doing(async () => {
  const before = state.lines.length;
  const found = await ask("api/answer", { number: state.number, answer });
  told = before;
  take(found);
});

const hint = () => doing(async () => {
  const found = await ask("api/hint", { number: state.number });
  draw();
  showChart(found, "What each answer is worth", "");
});

const next = () => doing(async () => {
  told = 0;
  take(await ask("api/next", {}));
});

// --- Drawing ---------------------------------------------------------------------------------------

function draw() {
  const napalm = state.game === "napalm";
  byId("title").textContent = `${napalm ? "Napalm" : "Noddy"}, game ${state.index} of seed ${state.seed}`;
  byId("rules").textContent = `${state.rules}; ${state.target} ${napalm ? "collected" : "points"} win`;
  byId("main").hidden = false;
  (napalm ? drawNapalm : drawNoddy)();
  drawNews();
  if (state.ask) drawAsk();
  else drawEnd();
  drawCoach();
  drawLines();
}

function orderOf(deal) {
  const n = state.seats.length;
  return [...Array(n).keys()].map((position) => (deal.dealer + 1 + position) % n);
}

function seat(number, deal, count, share, ...children) {
  const name = make("span", "name", `${number} ${state.seats[number]}`);
  name.title = state.labels[number];
  const dealer = number === deal.dealer ? make("span", "dealer", "D") : null;
  if (dealer) dealer.title = "deals";
  const fill = make("i", "");
  fill.style.width = `${Math.min(100, 100 * share)}%`;
  const found = make("li", number === state.seat ? "you" : "", make("div", "who", name, dealer),
    make("div", "count", count), make("div", "bar", fill), ...children);
  found.classList.toggle("won", state.known.winner === number);
  return found;
}

function backs(number) {
  return [...Array(number)].map(() => make("span", "card back"));
}

// What a seat holds; the own hand lies below while something is asked.
function handOf(who, cards, number) {
  if (state.ask && who === state.seat) return null;
  const found = make("div", "cards", ...(cards ? cards.map((text) => card(text)) : backs(number)));
  if (!cards) found.setAttribute("aria-label", `${number} cards, face down`);
  return found;
}

function drawNapalm() {
  const { deals } = state.known;
  const deal = deals.at(-1);
  const stage = deal.stages.at(-1);
  const settled = deals.flatMap((each) => each.stages).filter((each) => each.collected);
  const counts = settled.length ? settled.at(-1).collected : state.seats.map(() => 0);
  const held = { 1: 2, 2: 5, 3: 7 }[stage.stage];
  const order = orderOf(deal);
  const asked = state.ask ? state.seat : null;
  byId("seats").replaceChildren(...order.map((number) => {
    const words = deal.stages.flatMap((each) => each.declarations
      .filter(([who]) => who === number)
      .map(([, word]) => {
        const found = make("span", `word ${word} fresh`, `${deal.stages.length > 1 ? `${each.stage}: ` : ""}${word}`);
        found.style.setProperty("--turn", order.indexOf(number));
        return found;
      }));
    if (number === asked) words.push(make("span", "word asked", "?"));
    const net = state.known.net ? `, ${state.known.net[number] > 0 ? "+" : ""}${state.known.net[number]} stakes` : "";
    return seat(number, deal, `${counts[number]} collected${net}`, counts[number] / state.target,
      handOf(number, deal.cards[number], held), make("div", "words", ...words));
  }));
  const pot = state.ask ? state.ask.pot : stage.pot;
  byId("middle").replaceChildren(make("span", "", "Pot ", make("b", "", String(pot))),
    make("span", "", `Deal ${deals.length - 1}, stage ${stage.stage}`));
}

function drawNoddy() {
  const deal = state.known.deals.at(-1);
  byId("seats").replaceChildren(...orderOf(deal).map((number) => {
    const last = deal.turns.filter((turn) => turn.seat === number).at(-1);
    const words = [];
    if (last && last.do === "lay") words.push(...last.cards.map((text) => card(text)), make("span", "word yes", `+${last.points}`));
    else if (last) words.push(make("span", "word", last.do === "draw" ? "drew a card" : "passed"));
    if (state.ask && number === state.seat) words.push(make("span", "word asked", "?"));
    const size = deal.hand_sizes[number];
    const points = `${deal.scores[number]} ${deal.scores[number] === 1 ? "point" : "points"}`;
    const cards = `${size} ${size === 1 ? "card" : "cards"}`;
    return seat(number, deal, `${points}, ${cards}`, deal.scores[number] / state.target,
      handOf(number, deal.hands[number], size), make("div", "words", ...words));
  }));
  byId("middle").replaceChildren(
    make("span", "", "Turned up ", card(deal.turn_up), ` ${SUIT_NAMES[deal.turn_up[1]]} are trumps`),
    make("span", "", "Stock ", make("b", "", String(deal.stock))),
    make("span", "", `Deal ${state.known.deals.length - 1}`));
}

function drawNews() {
  const fresh = told ? state.lines.slice(told) : [];
  byId("news").replaceChildren(...fresh.map((line, place) => {
    const found = make("p", "fresh", ...pretty(line.trim()));
    found.style.setProperty("--turn", place);
    return found;
  }));
  byId("news").classList.toggle("end", !state.ask);
  toEnd(byId("news"));
}

function button(choice, className, key, ...children) {
  const found = make("button", `choice ${className}`, key ? make("kbd", "", key) : null, ...children);
  found.type = "button";
  found.dataset.key = key || "";
  found.addEventListener("click", () => send(choice.answer));
  return found;
}

function drawAsk() {
  const asked = state.ask;
  if (state.game === "napalm") {
    byId("asked").textContent = `Stage ${asked.stage}, ${asked.stage_name}` + (asked.challenged ? ": the dealer challenges" : "");
    byId("hand").replaceChildren(...asked.hand.map((text) => card(text)));
    byId("facts").replaceChildren(make("b", "", asked.name), `: beats ${(100 * asked.strength).toFixed(1)}% of all hands`);
    byId("choices").replaceChildren(...asked.choices.map((choice) =>
      button(choice, `big ${choice.key === "y" ? "yes" : "no"}`, choice.key, choice.text)), ...hintButton());
    byId("keys").textContent = "Keys: y Yes, n No" + (state.hints ? ", h what each is worth" : "");
    return;
  }
  byId("asked").textContent = "Your turn";
  byId("hand").replaceChildren(...asked.hand.map((text) => {
    const found = card(text, "button");
    found.type = "button";
    found.setAttribute("aria-pressed", String(picked.has(text)));
    found.addEventListener("click", () => {
      if (!picked.delete(text)) picked.add(text);
      drawAsk();
    });
    return found;
  }));
  const fits = asked.choices.filter((choice) => [...picked].every((text) => choice.cards.includes(text)));
  const lays = fits.filter((choice) => choice.cards.length);
  const others = asked.choices.filter((choice) => !choice.cards.length);
  byId("facts").textContent = picked.size
    ? (lays.length ? "What these cards are part of:" : "These cards are no combination together.")
    : "Lay a combination, or click cards to see what they are part of.";
  byId("choices").replaceChildren(
    ...lays.map((choice, place) => button(choice, "", place < 9 ? String(place + 1) : "", ...pretty(choice.text))),
    ...others.map((choice) => button(choice, "plain", choice.key, choice.text)), ...hintButton());
  byId("keys").textContent = `Keys: 1 to 9 lay, d draw, p pass${state.hints ? ", h what each is worth" : ""}`;
}

function hintButton() {
  if (!state.hints) return [];
  const found = make("button", "choice plain", make("kbd", "", "h"), "Hint");
  found.type = "button";
  found.dataset.key = "h";
  found.addEventListener("click", hint);
  return [found];
}

function drawEnd() {
  const winner = state.known.winner;
  byId("asked").textContent = winner === null ? "Nobody has won" : winner === state.seat ? "You have won" : `${state.seats[winner]} has won`;
  byId("hand").replaceChildren();
  byId("facts").textContent = `The game is in ${state.log}`;
  const again = make("button", "choice big yes", make("kbd", "", "Enter"), "Next game");
  again.type = "button";
  again.dataset.key = "Enter";
  again.addEventListener("click", next);
  byId("choices").replaceChildren(again);
  byId("keys").textContent = "";
}

function drawCoach() {
  byId("coach").hidden = true;
  byId("coach").className = "";
  const { verdict } = state;
  if (state.silent) {
    byId("coach").replaceChildren(make("p", "", `Coach: this cannot be judged: ${state.silent}.`));
    byId("coach").hidden = false;
  }
  if (verdict) {
    const best = verdict.choices.find((choice) => choice.best);
    const right = verdict.answer === best.answer;
    const title = right ? "Coach: that was best"
      : verdict.surely ? `Coach: that cost ${verdict.text}` : "Coach: as good as the best, as far as can be told";
    showChart(verdict, title, right ? "good" : verdict.surely ? "bad" : "");
  }
  if (state.mistakes.length) {
    const list = make("ol", "mistakes", ...state.costs.map((each) =>
      make("li", "", make("b", "", each.text), ": ", ...pretty(`${each.where}: ${each.chosen}, not ${each.best}`))));
    byId("coach").append(make("h2", "", state.mistakes[0]), list);
    byId("coach").hidden = false;
  }
}

function showChart(advice, title, className) {
  const ordered = [...advice.choices].sort((one, other) => other.value - one.value);
  const shown = ordered.filter((choice, place) => place < MOST || choice.answer === advice.answer);
  const low = Math.min(0, ...shown.map((choice) => choice.value - choice.margin));
  const high = Math.max(0, ...shown.map((choice) => choice.value + choice.margin));
  const at = (value) => 100 * (Math.max(low, Math.min(high, value)) - low) / (high - low || 1);
  const chart = make("div", "chart");
  for (const choice of shown) {
    const fill = make("i", choice.best ? "fill best" : "fill");
    fill.style.left = `${at(Math.min(0, choice.value))}%`;
    fill.style.width = `${Math.abs(at(choice.value) - at(0))}%`;
    const error = make("i", "error");
    error.style.left = `${at(choice.value - choice.margin)}%`;
    error.style.width = `${at(choice.value + choice.margin) - at(choice.value - choice.margin)}%`;
    const zero = make("i", "zero");
    zero.style.left = `${at(0)}%`;
    const own = choice.answer === advice.answer;
    chart.append(make("span", own ? "label mine" : "label", ...pretty(choice.text), own ? " (yours)" : ""),
      make("span", "track", fill, zero, error), make("span", "worth", choice.worth));
  }
  const coach = byId("coach");
  coach.className = className;
  coach.replaceChildren(make("h2", "", title), chart);
  coach.hidden = false;
}

function drawLines() {
  const list = byId("lines");
  list.replaceChildren(...state.lines.map((line, place) => {
    const kind = line.startsWith("Deal ") ? "deal" : line.startsWith(" ") ? "inner" : "";
    return make("li", kind + (told && place >= told ? " new" : ""), ...pretty(line.trim()));
  }));
  toEnd(list);
}

// --- Keys --------------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !state || busy) return;
  if (event.key === "Enter" && event.target.closest("button, summary")) return; // it does what is in focus
  const wanted = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const found = [...document.querySelectorAll("#choices button")].find((each) => each.dataset.key === wanted);
  if (!found) return;
  event.preventDefault();
  found.click();
});

addEventListener("resize", () => {
  settle();
  toEnd(byId("news"));
  toEnd(byId("lines"));
});
for (const name of ["news", "lines"]) {
  byId(name).addEventListener("scroll", (event) => event.target.classList.toggle("cut", event.target.scrollTop > 0));
}

doing(async () => take(await ask("api/state")));
if (matchMedia("(max-width: 58rem)").matches) byId("history").open = false;
