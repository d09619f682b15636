import fc from "fast-check";
import { parseFragment } from "parse5";
import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { describe, expect, test } from "vitest";
import { toPostBody, toPostPreview } from "#app/domain/posts/rules/cards.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { renderMarkdown, markdownText } from "#app/domain/posts/rules/markdown.ts";
import { pictureMarkdown } from "#app/domain/posts/rules/pictures.ts";
import { validVideo, playerUrl, embeddedVideo } from "#app/domain/media/rules/videos.ts";
import type { Post } from "#app/domain/posts/schema.ts";

const ALLOWED: Record<string, string[]> = {
  p: [],
  br: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  strong: [],
  em: [],
  s: [],
  code: [],
  pre: [],
  blockquote: [],
  ul: [],
  ol: ["start"],
  li: [],
  hr: [],
  a: ["href", "rel", "target", "data-video"],
};
const ALLOWED_SCHEMES = ["http:", "https:", "mailto:"];

/** Lists what a browser would build from the HTML beyond the allow-list. */
function strangers(html: string): string[] {
  const found: string[] = [];
  const walk = (node: Tree.ChildNode): void => {
    if (node.nodeName === "#text") return;
    if (!("tagName" in node)) return void found.push(node.nodeName);
    const names = ALLOWED[node.tagName];
    if (!names) found.push(`<${node.tagName}>`);
    for (const { name, value } of node.attrs) {
      if (!names?.includes(name)) found.push(`<${node.tagName} ${name}>`);
      if (name === "href" && !ALLOWED_SCHEMES.includes(URL.parse(value)?.protocol ?? ""))
        found.push(value);
      if (name === "rel" && value !== "nofollow ugc noopener") found.push(value);
      if (name === "data-video" && !/^(youtube\/[\w-]{11}|vimeo\/\d+)$/.test(value))
        found.push(value);
    }
    if (node.tagName === "a" && !node.attrs.some(({ name }) => name === "rel"))
      found.push("a link without rel");
    node.childNodes.forEach(walk);
  };
  parseFragment(html).childNodes.forEach(walk);
  return found;
}

const PHOTO: MediaItem = {
  id: "0f3a",
  kind: "image",
  contentType: "image/webp",
  alt: "A rabeca na bancada",
  width: 1600,
  height: 900,
  filename: "",
  sizeBytes: 9,
  hasPoster: false,
  captionsVersion: 0,
};
const SONG: MediaItem = { ...PHOTO, id: "50e6", kind: "audio" };

const PAYLOADS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  "<svg><style><!--</style><img src=x onerror=alert(1)>-->",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<a href=javascript:alert(1)>x</a>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](java\nscript:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](javascript&colon;alert(1))",
  "[x](\u0001javascript:alert(1))",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "[x](vbscript:msgbox(1))",
  "[x](//evil.test)",
  "[x](/auth/logout)",
  "[x]()",
  "[]()",
  "<javascript:alert(1)>",
  "![x](https://evil.test/pixel.png)",
  "![x](javascript:alert(1))",
  '[x](https://a.test "onmouseover=alert(1)")',
  '[x](https://a.test/"onmouseover="alert(1))',
  "[x](https://a.test/'><script>alert(1)</script>)",
  'https://a.test/"><img src=x onerror=alert(1)>',
  'https://youtu.be/dQw4w9WgXcQ"onload=alert(1)',
  "https://youtu.be/../../../evil",
  "[r]: javascript:alert(1)\n[r]",
  "```html\n<script>alert(1)</script>\n```",
  "`<script>alert(1)</script>`",
  "</p></div></article><h1>fora",
  "<!--<script>-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?php echo 1 ?>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "\u202e<gnp.x=crs gmi>",
  "<style>@import 'https://evil.test'</style>",
  "<form action=/auth/logout><button>x",
  "<base href=https://evil.test>",
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  "<template><script>alert(1)</script></template>",
];

describe("pictures inside of a text", () => {
  const html = (text: string) => renderMarkdown(text, { pictures: [PHOTO] });
  const shown = (alt: string) =>
    `<img src="/media/0f3a/1280" srcset="/media/0f3a/640 640w, /media/0f3a/1280 1280w, /media/0f3a/1920 1600w" sizes="(min-width: 64rem) 600px, 100vw" loading="lazy" decoding="async" alt="${alt}" width="1600" height="900">`;

  test.each([
    ["described in the text", "![O tampo](/media/0f3a/1280)", `<p>${shown("O tampo")}</p>`],
    ["described by its file", "![](/media/0f3a/1280)", `<p>${shown("A rabeca na bancada")}</p>`],
    [
      "with brackets and quotes in the description",
      String.raw`![um \[dois\] "três"](/media/0f3a/640)`,
      `<p>${shown("um [dois] &quot;três&quot;")}</p>`,
    ],
    [
      "shown once, however often it is named",
      "![](/media/0f3a/1280)\n\n![](/media/0f3a/1280)",
      `<p>${shown("A rabeca na bancada")}</p>`,
    ],
    ["not of this post: nothing is shown", "a\n\n![x](/media/ffff/1280)", "<p>a</p>"],
    ["in code: its text", "`![](/media/0f3a/1280)`", "<p><code>![](/media/0f3a/1280)</code></p>"],
  ])("a picture %s", (_name, text, expected) => expect(html(text)).toBe(expected));

  test("images of other sites and addresses stay text", () => {
    for (const address of [
      "https://evil.test/a.png",
      "//evil.test/a",
      "/auth/logout",
      "/media/0f3a",
    ])
      expect(html(`![x](${address})`)).not.toContain("<img");
  });

  test("the mark that is inserted shows the picture with its description", () => {
    const item = { ...PHOTO, alt: "um [dois]\ntrês \\ quatro" };
    expect(html(pictureMarkdown(item))).toBe(`<p>${shown("um [dois] três \\ quatro")}</p>`);
  });

  test("an excerpt has no trace of them, and the files beside the text are the others", () => {
    const content = "Antes.\n\n![O tampo](/media/0f3a/1280)\n\nDepois.";
    expect(markdownText(content)).toBe("Antes.\n\nDepois.");
    const media = [PHOTO, SONG];
    expect(toPostBody({ content, media, isSensitive: false }).files).toEqual([SONG]);
    // All under one cover.
    const covered = toPostBody({ content, media, isSensitive: true });
    expect([covered.html, covered.files]).toEqual(["<p>Antes.</p><p>Depois.</p>", media]);
  });

  test("twenty thousand brackets cost no more than any other text", () => {
    expect(html("![".repeat(10_000))).toContain("![![");
  });
});

describe("rendered text has only allowed elements, attributes and schemes", () => {
  test.each(PAYLOADS)("%s", (payload) => {
    expect(strangers(renderMarkdown(payload))).toEqual([]);
  });

  test("a link without an address is shown as its text", () => {
    expect(renderMarkdown("[ler *mais*]() e [aqui](https://a.test)")).toBe(
      '<p>ler <em>mais</em> e <a href="https://a.test" rel="nofollow ugc noopener" target="_blank">aqui</a></p>',
    );
  });

  test("for any combination of marks and payloads", () => {
    const marks = [
      "*",
      "**",
      "_",
      "~~",
      "`",
      "```",
      "\n",
      "\n\n",
      "> ",
      "- ",
      "1. ",
      "# ",
      "[",
      "](",
      ")",
      "<",
      ">",
      '"',
      "'",
      "&",
      "\\",
      "!",
      "http://",
      "https://a.b/",
      "javascript:",
      "data:",
      " ",
      "\t",
      "\u0000",
      "\u202e",
      "é",
    ];
    const part = fc.oneof(
      fc.constantFrom(...marks),
      fc.constantFrom(...PAYLOADS),
      fc.string({ unit: "binary", maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        expect(strangers(renderMarkdown(parts.join("")))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  test("the check itself detects forbidden elements", () => {
    expect(
      strangers('<img src=x onerror=a><a href="javascript:a">x</a><p class="x"><!--c--></p>'),
    ).toEqual([
      "<img>",
      "<img src>",
      "<img onerror>",
      "javascript:a",
      "a link without rel",
      "<p class>",
      "#comment",
    ]);
  });
});

describe("Markdown", () => {
  test.each([
    [
      "um **forte** e *leve* e ~~fora~~ e `código`",
      "<p>um <strong>forte</strong> e <em>leve</em> e <s>fora</s> e <code>código</code></p>\n",
    ],
    ["# Um\n## Dois\n###### Seis", "<h2>Um</h2><h3>Dois</h3><h6>Seis</h6>"],
    ["- a\n- b", "<ul><li>a</li><li>b</li></ul>"],
    ["1986. ano", '<ol start="1986"><li>ano</li></ol>'],
    ["> citado", "<blockquote><p>citado</p></blockquote>"],
    ["```\n<b>\n```", "<pre><code>&lt;b&gt;\n</code></pre>"],
    ["***", "<hr>"],
    [
      "[aqui](https://a.test/?x=1&y=2)",
      '<p><a href="https://a.test/?x=1&amp;y=2" rel="nofollow ugc noopener" target="_blank">aqui</a></p>',
    ],
  ])("%j", (markdown, html) => {
    expect(renderMarkdown(markdown)).toBe(html.trim());
  });

  test("renders plain text as it was typed", () => {
    expect(renderMarkdown("Linha um\nlinha dois\n\n  Outro parágrafo & fim <3 R$ 10,00")).toBe(
      "<p>Linha um<br>linha dois</p><p>Outro parágrafo &amp; fim &lt;3 R$ 10,00</p>",
    );
    expect(renderMarkdown("veja https://a.test/x, e volte")).toContain(
      '<a href="https://a.test/x" rel="nofollow ugc noopener" target="_blank">https://a.test/x</a>, e volte',
    );
    expect(renderMarkdown("Um título\n===\ne &copy; só isso")).toBe(
      "<p>Um título<br>===<br>e &amp;copy; só isso</p>",
    );
  });
});

describe("a video link", () => {
  test.each([
    ["https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=10", "youtube/dQw4w9WgXcQ"],
    ["https://youtu.be/dQw4w9WgXcQ?si=x", "youtube/dQw4w9WgXcQ"],
    ["https://youtube.com/shorts/dQw4w9WgXcQ", "youtube/dQw4w9WgXcQ"],
    ["https://vimeo.com/76979871", "vimeo/76979871"],
  ])("%s alone on its line becomes a card that loads nothing", (address, video) => {
    const html = renderMarkdown(`Antes\n${address}\n\ndepois`);
    expect(html).toContain(`data-video="${video}"`);
    expect(html).toContain("Assistir ao vídeo no");
    expect(html).not.toMatch(/<(iframe|img|script)|src=/);
  });

  test.each([
    "veja https://youtu.be/dQw4w9WgXcQ agora",
    "[clipe](https://youtu.be/dQw4w9WgXcQ)",
    "https://youtu.be/curto",
    "https://youtube.com.evil.test/watch?v=dQw4w9WgXcQ",
    "https://vimeo.com/quem/76979871",
  ])("%s stays a link", (text) => {
    expect(renderMarkdown(text)).not.toContain("data-video");
  });

  test("is accepted only with an id in its provider's format", () => {
    expect(
      [
        validVideo("youtube", "dQw4w9WgXcQ"),
        validVideo("youtube", "../../x"),
        validVideo("vimeo", "abc"),
        validVideo("outro", "1"),
      ].map(Boolean),
    ).toEqual([true, false, false, false]);
    expect(embeddedVideo("javascript:alert(1)")).toBeNull();
    expect(playerUrl({ provider: "youtube", id: "dQw4w9WgXcQ" })).toBe(
      "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1",
    );
  });
});

describe("an excerpt", () => {
  test("has the words without the marks", () => {
    expect(
      markdownText("# Título\n\num **forte** [aqui](https://a.test)\ne `mais`\n\n- item"),
    ).toBe("Título\num forte aqui\ne mais\nitem");
  });

  test("is cut between words, never inside marks", () => {
    const post = {
      content: "**palavra** ".repeat(100),
      teaser: "",
      access: { visible: true },
    } as unknown as Post;
    const card = toPostPreview(post);
    expect(card.excerpt).not.toContain("*");
    expect(card.excerpt.length).toBeLessThanOrEqual(281);
    expect(card.isExcerptCut).toBe(true);
  });
});

/**
 * Twice the text takes about twice the time. Quadratic time would take minutes for these texts on
 * any machine.
 */
const AFFORDABLE_MS = 20_000;
const MEGABYTE = 1_000_000;
const filled = (part: string, length: number) =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

test.each([
  ["words", "palavra ", MEGABYTE],
  ["zalgo", "Z̸̡̢̧͓̗̗̝̽̽", MEGABYTE],
  ["right to left", "\u202e\u2067\u0627", MEGABYTE],
  ["quotes in quotes", "> ", MEGABYTE],
  ["lists in lists", "- ", MEGABYTE],
  ["numbers in numbers", "1. ", MEGABYTE],
  ["at signs", "a@a.b", MEGABYTE],
  ["lines", "a\n", 200_000],
  ["open brackets", "[", 200_000],
  ["open links", "[a](", 200_000],
  ["stars that never close", "*a **a ", 200_000],
  ["ticks of every length", "`a``b```", 200_000],
  ["tildes", "~~a", 200_000],
  ["angles", "<a b='", 200_000],
  ["backslashes", "\\", 200_000],
  ["addresses", "https://a.b/c ", 200_000],
  ["half addresses", "http://", 200_000],
])("long text of %s renders quickly", (_, part, length) => {
  const from = performance.now();
  renderMarkdown(filled(part, length));
  expect(performance.now() - from).toBeLessThan(AFFORDABLE_MS);
});
