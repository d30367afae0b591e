// Which pages a search names first: those for people, then the others, records and decisions last.
const ORDER = [
  ["docs/how_to/", 20],
  ["docs/adr/", -20],
  ["docs/decisions", -20],
  ["docs/hazards/", -10],
  ["CHANGELOG", -20],
];
var Scorer = {
  score: ([page, , , , score]) => score + (ORDER.find(([begin]) => page.startsWith(begin))?.[1] ?? 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
