/**
 * The map of who may import whom. Each rule says why in one line. tests/boundaries breaks each one
 * on purpose.
 */
const MODULE = "^app/domain/([^/]+)/";

// A module may import only what its row lists (and itself, access, rate-limits, whose counting joins
// anyone's batch, and retry-backoff, which order anyone's due rows). One table: everything below is made
// from it.
const SALES = [
  "identity",
  "profiles",
  "media",
  "ledger",
  "payments",
  "plans",
  "subscriptions",
  "purchases",
];
const MAY_USE = {
  access: [],
  "rate-limits": [],
  "retry-backoff": [],
  identity: [],
  ledger: [],
  audit: ["ledger"],
  fiscal: ["ledger", "notifications"],
  media: ["identity"],
  profiles: ["identity"],
  documents: ["identity", "media"],
  payments: ["identity", "ledger", "audit"],
  plans: ["identity", "profiles", "documents", "payments"],
  payouts: ["identity", "ledger", "audit", "payments", "documents"],
  subscriptions: ["identity", "profiles", "ledger", "payments", "plans"],
  purchases: ["identity", "profiles", "documents", "ledger", "payments", "plans", "subscriptions"],
  billing: [
    "identity",
    "profiles",
    "documents",
    "ledger",
    "payments",
    "plans",
    "subscriptions",
    "purchases",
  ],
  disputes: ["identity", "profiles", "media", "ledger", "payments", "subscriptions", "purchases"],
  reconciliation: [
    "identity",
    "profiles",
    "ledger",
    "payments",
    "payouts",
    "subscriptions",
    "purchases",
  ],
  age: ["identity", "profiles", "documents"],
  posts: [...SALES, "documents"],
  collections: [...SALES, "documents", "posts"],
  comments: [...SALES, "posts"],
  discovery: [...SALES, "posts"],
  messages: [...SALES, "documents"],
  broadcasts: [...SALES, "messages"],
  events: [...SALES, "documents"],
  "event-chat": [...SALES, "messages", "events"],
  moderation: [...SALES, "posts", "collections", "comments", "messages", "events", "event-chat"],
  "product-news": ["identity"],
  teams: ["identity", "profiles", "media"],
  deletion: [
    ...SALES,
    "documents",
    "payouts",
    "billing",
    "disputes",
    "posts",
    "collections",
    "comments",
    "messages",
    "broadcasts",
    "events",
    "teams",
    "notifications",
    "newsletters",
    "syndication",
    "age",
    "moderation",
  ],
  notifications: ["identity", "profiles"],
  newsletters: [...SALES, "posts", "notifications"],
  syndication: [...SALES, "posts", "collections", "events"],
  analytics: [...SALES, "posts", "events", "notifications", "payouts", "broadcasts"],
};

const KNOWN_MODULE = `^app/domain/(${Object.keys(MAY_USE).join("|")})/`;
// The five kinds, each a file or a folder of that name, in a module or in one of its slices (a folder
// named by its noun); a sixth is a mistake. access has its SQL twin.
const FIVE_KINDS = ["", "[^/]+/"]
  .flatMap((slice) => ["", "/[^/]+", "/[^/]+/[^/]+"].map((depth) => ({ slice, depth })))
  .flatMap(({ slice, depth }) => [
    `^app/domain/[^/]+/${slice}(schema|rules|errors)${depth}\\.ts$`,
    `^app/domain/[^/]+/${slice}(queries|commands)${depth}\\.server\\.ts$`,
  ])
  .concat("^app/domain/access/sql\\.server\\.ts$");
const SHARED_FILES =
  "^app/domain/(context|errors|money|time|csv|page|text|outbox(\\.server)?)\\.ts$";

const moduleRules = Object.entries(MAY_USE).map(([name, uses]) => ({
  name: `domain-${name}`,
  comment: `${name} may use only: ${uses.join(", ") || "nothing"}. Talk upward by outbox message.`,
  severity: "error",
  from: { path: `^app/domain/${name}/` },
  to: {
    path: MODULE,
    pathNot: `^app/domain/(${[name, "access", "rate-limits", "retry-backoff", ...uses].join("|")})/`,
  },
}));

/**
 * A rule about where a file is, not about what it imports: seen from the file, towards it, and when
 * nothing touches it.
 */
function everyFile(name, comment, which) {
  return [
    { name, comment, severity: "error", from: which, to: {} },
    { name, comment, severity: "error", from: {}, to: which },
    { name, comment, severity: "error", from: { ...which, orphan: true }, to: {} },
  ];
}

module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      comment: "A cycle has no first file to read, be it of types alone.",
      from: {},
      to: { circular: true },
    },
    ...everyFile("domain-folder-has-a-row", "Every folder under app/domain has a row in MAY_USE.", {
      path: "^app/domain/[^/]+/",
      pathNot: KNOWN_MODULE,
    }),
    ...everyFile(
      "domain-file-is-one-of-five-kinds",
      "schema, rules, errors, queries.server, commands.server: never a sixth.",
      {
        path: "^app/domain/[^/]+/",
        pathNot: FIVE_KINDS,
      },
    ),
    ...everyFile(
      "domain-root-holds-the-shared-files",
      "Only the nine shared files live beside the modules.",
      { path: "^app/domain/[^/]+$", pathNot: SHARED_FILES },
    ),
    {
      name: "domain-is-framework-free",
      comment: "The same rules run in a loader, a queue worker and a test.",
      severity: "error",
      from: { path: "^app/domain/" },
      to: {
        path: "^(node_modules/(react|react-router|react-dom|@clerk|better-auth|sonner|remix-themes|stripe)/|app/(routes|components|http|integrations)/|app/[^/]+$|workers/)",
      },
    },
    {
      name: "pure-files-stay-pure",
      comment:
        "In the domain, a file without .server does no I/O: it may not import one at run time.",
      severity: "error",
      from: { path: "^app/domain/", pathNot: "\\.server\\.ts$" },
      to: {
        path: "(\\.server\\.ts$|^drizzle/|node_modules/drizzle-orm/)",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "routes-never-touch-sql",
      comment: "Routes ask the domain.",
      severity: "error",
      from: { path: "^app/(routes|components)/" },
      to: { path: "^(drizzle/|node_modules/drizzle-orm/|app/(db|integrations)/)" },
    },
    {
      name: "components-are-dumb",
      comment: "Components take props; only routes call the domain.",
      severity: "error",
      from: { path: "^app/components/" },
      to: { path: "\\.server\\.ts$|^app/routes/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "components-know-neither-http-nor-providers",
      comment: "What both sides need is in app/lib or a word of the domain.",
      severity: "error",
      from: { path: "^app/components/" },
      to: { path: "^app/((http|integrations)/|[^/]+$)" },
    },
    {
      name: "http-asks-ports",
      comment: "A provider is reached by its port, which app/compose gives.",
      severity: "error",
      from: { path: "^app/http/" },
      to: { path: "^app/integrations/" },
    },
    {
      name: "http-draws-nothing",
      comment: "Markup is of components; http answers with data, and routes join the two.",
      severity: "error",
      from: { path: "^app/http/" },
      to: { path: "^app/(components|routes)/" },
    },
    {
      name: "integrations-satisfy-ports-only",
      comment: "A provider is told what it needs by its port, and knows no request of ours.",
      severity: "error",
      from: { path: "^app/integrations/" },
      to: { path: "^app/(http|components|routes|compose)" },
    },
    {
      name: "lib-uses-nothing",
      comment: "Small pieces without a framework, which every layer may use.",
      severity: "error",
      from: { path: "^app/lib/" },
      to: { pathNot: "^app/lib/" },
    },
    {
      name: "writes-stay-home",
      comment:
        "Only a module's own commands may import its tables; queries may join any table. audit writes only what it found, in the ledger's tables.",
      severity: "error",
      from: { path: MODULE, pathNot: "/queries(\\.server\\.ts$|/)|^app/domain/audit/commands" },
      to: { path: "^drizzle/schema/", pathNot: "^drizzle/schema/$1(-people)?\\.ts$" },
    },
    {
      name: "messages-stay-home",
      comment: "A module announces the outbox messages that it declares itself, and no others.",
      severity: "error",
      from: { path: MODULE },
      to: { path: "^app/domain/[^/]+/schema/outbox[./]", pathNot: "^app/domain/$1/" },
    },
    {
      name: "drizzle-and-db-are-the-floor",
      severity: "error",
      comment: "Tables and the database client know nothing above them.",
      from: { path: "^(drizzle/schema|app/db)/" },
      to: {
        path: "^(app/(domain|routes|components|http|integrations)|workers)/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "app-does-not-import-workers",
      severity: "error",
      comment: "workers/ is the outermost layer.",
      from: { path: "^app/" },
      to: { path: "^workers/" },
    },
    {
      name: "the-product-does-not-import-its-tools",
      severity: "error",
      comment: "scripts, tests and benches look at the product, never the other way.",
      from: { path: "^(app|workers|drizzle/schema)/" },
      to: { path: "^(scripts|tests|bench)/" },
    },
    ...moduleRules,
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(build|\\.data|\\.tmp|\\.react-router)/" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".js"],
      conditionNames: ["import", "default", "types"],
      exportsFields: ["exports"],
    },
  },
};
