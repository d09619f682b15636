// Rules of our own for oxlint (`jsPlugins` in .oxlintrc.json).

type Expression = { type: string; name?: string };
type Call = { callee: Expression; arguments: unknown[] };
type Member = { object: Expression; property: Expression; computed: boolean };
type RuleContext = { report(problem: { message: string; node: unknown }): void };

const isDate = ({ type, name }: Expression): boolean => type === "Identifier" && name === "Date";

/** Tests read the time from the clock that they receive, never from the machine's. */
const oneClock = {
  create(context: RuleContext) {
    const report = (node: unknown) =>
      context.report({ message: "Ask testClock (tests/support/clock.ts) for the time.", node });
    return {
      NewExpression(node: Call) {
        if (isDate(node.callee) && node.arguments.length === 0) report(node);
      },
      CallExpression(node: Call) {
        if (isDate(node.callee)) report(node);
      },
      MemberExpression(node: Member) {
        if (isDate(node.object) && !node.computed && node.property.name === "now") report(node);
      },
    };
  },
};

export default { meta: { name: "coreto" }, rules: { "one-clock": oneClock } };
