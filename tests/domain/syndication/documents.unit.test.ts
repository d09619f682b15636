import { XMLParser, XMLValidator } from "fast-xml-parser";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MediaItem } from "#app/domain/media/schema.ts";
import type { Post } from "#app/domain/posts/schema.ts";
import { feedDocument } from "#app/domain/syndication/rules/documents.ts";
import { buildFeed } from "#app/domain/syndication/rules/entries.ts";
import type { Feed } from "#app/domain/syndication/schema.ts";

const ORIGIN = "https://coreto.test";
const NASTY = 'Ção & <b>"aspas"</b> \u0000\u000B ]]> \uD800 👩‍🎤';
const AT = Date.UTC(2026, 2, 3, 15, 30);

const profile = {
  id: "p1",
  username: "ana",
  name: "Ana & Cia <3",
  bio: "Rabeca\n\ne  forró ]]>",
  city: "",
  craft: "",
  category: "" as const,
  avatarMediaId: null,
  bannerMediaId: null,
  links: [],
  isCreator: true,
  followersCount: 1,
  subscribersCount: 0,
  postsCount: 1,
  createdAt: AT - 1_000,
};

const song: MediaItem = {
  id: "m1",
  kind: "audio",
  contentType: "audio/mpeg",
  alt: "Ensaio",
  width: 0,
  height: 0,
  filename: "ensaio.mp3",
  sizeBytes: 4_321,
  hasPoster: false,
  captionsVersion: 0,
};
const image: MediaItem = {
  ...song,
  id: "m2",
  kind: "image",
  contentType: "image/webp",
  alt: 'Uma "rabeca"',
  width: 640,
  height: 480,
  filename: "",
};

function post(change: Partial<Post> = {}): Post {
  return {
    id: "post1",
    title: NASTY,
    teaser: "",
    content: `**Oi** ${NASTY}`,
    publishedAt: AT,
    editedAt: null,
    isPinned: false,
    poll: null,
    isSensitive: false,
    state: "published",
    likesCount: 0,
    commentsCount: 0,
    areCommentsClosed: false,
    isLiked: false,
    author: { id: "p1", name: profile.name, username: "ana", avatarMediaId: null },
    rules: [{ kind: "public", planId: null, amountCents: null, opensAt: null }],
    plans: [],
    media: [image, song],
    access: { visible: true },
    isOwn: false,
    publishedBy: null,
    ...change,
  };
}

const locked = () =>
  post({
    id: "post2",
    title: "Só para quem assina",
    teaser: "A chamada",
    content: null,
    access: {
      visible: false,
      reasons: [{ kind: "subscribers" }],
      cheapestUnlock: null,
      otherUnlocks: [],
      awayUntil: null,
    },
  });

function feed(posts: Post[], isPrivate = false): Feed {
  return buildFeed({
    profile,
    posts,
    origin: ORIGIN,
    selfUrl: `${ORIGIN}/space/ana/rss.xml`,
    imageUrl: `${ORIGIN}/pictures/cover/ana/1.png`,
    isPrivate,
    urlOfFile: ({ id }) => `${ORIGIN}/file/${id}?a=1&b=2`,
  });
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  isArray: (name) => ["item", "entry", "link"].includes(name),
});

function parsed(xml: string) {
  expect(XMLValidator.validate(xml)).toBe(true);
  return parser.parse(xml);
}

test("a picture inside of the text stands there and is not repeated below it", () => {
  const [entry] = feed([post({ content: "Antes.\n\n![](/media/m2/1280)\n\nDepois." })]).entries;
  expect(entry?.html).toBe(
    `<p>Antes.</p><p><img src="${ORIGIN}/file/m2?a=1&amp;b=2" alt="Uma &quot;rabeca&quot;" width="640" height="480"></p><p>Depois.</p>`,
  );
});

describe("RSS 2.0", () => {
  test("has the channel elements of the specification, and everything open of each item", () => {
    const { rss } = parsed(feedDocument(feed([post()]), "rss.xml"));
    expect(rss["@version"]).toBe("2.0");
    expect(rss.channel).toMatchObject({
      title: "Ana & Cia <3",
      language: "pt-BR",
      description: "Rabeca e forró ]]>",
      lastBuildDate: "Tue, 03 Mar 2026 15:30:00 GMT",
    });
    expect(rss.channel["atom:link"]).toMatchObject({
      "@rel": "self",
      "@href": `${ORIGIN}/space/ana/rss.xml`,
    });
    const [item] = rss.channel.item;
    expect(item).toMatchObject({
      pubDate: "Tue, 03 Mar 2026 15:30:00 GMT",
      link: [`${ORIGIN}/space/ana/public/post1`],
    });
    expect(item.guid).toEqual({ "#text": `${ORIGIN}/post/post1`, "@isPermaLink": "false" });
    expect(item.title).toBe('Ção & <b>"aspas"</b>  ]]> \uFFFD 👩‍🎤');
    expect(item["content:encoded"]).toContain("<strong>Oi</strong>");
    expect(item["content:encoded"]).toContain(
      `<img src="${ORIGIN}/file/m2?a=1&amp;b=2" alt="Uma &quot;rabeca&quot;"`,
    );
    expect(item.enclosure).toEqual({
      "@url": `${ORIGIN}/file/m1?a=1&b=2`,
      "@length": "4321",
      "@type": "audio/mpeg",
    });
  });

  test("of one person asks directories not to list it", () => {
    expect(parsed(feedDocument(feed([], true), "rss.xml")).rss.channel["itunes:block"]).toBe("Yes");
    expect(parsed(feedDocument(feed([]), "rss.xml")).rss.channel["itunes:block"]).toBeUndefined();
  });
});

describe("Atom", () => {
  test("has what RFC 4287 requires of a feed and its entries", () => {
    const { feed: atom } = parsed(
      feedDocument(feed([post({ editedAt: AT + 60_000 })]), "atom.xml"),
    );
    expect(atom).toMatchObject({
      "@xmlns": "http://www.w3.org/2005/Atom",
      id: `${ORIGIN}/space/p1`,
      updated: "2026-03-03T15:31:00.000Z",
      author: { name: "Ana & Cia <3" },
    });
    const [entry] = atom.entry;
    expect(entry).toMatchObject({
      id: `${ORIGIN}/post/post1`,
      published: "2026-03-03T15:30:00.000Z",
      updated: "2026-03-03T15:31:00.000Z",
    });
    expect(entry.content).toMatchObject({ "@type": "html" });
    expect(entry.link.map((link: Record<string, string>) => link["@rel"])).toEqual([
      "alternate",
      "enclosure",
    ]);
  });
});

describe("JSON Feed", () => {
  test("has what version 1.1 requires", () => {
    const json = JSON.parse(feedDocument(feed([post(), locked()]), "feed.json"));
    expect(json).toMatchObject({
      version: "https://jsonfeed.org/version/1.1",
      title: "Ana & Cia <3",
      language: "pt-BR",
      authors: [{ name: "Ana & Cia <3" }],
    });
    expect(json.items.map((item: { id: unknown }) => typeof item.id)).toEqual(["string", "string"]);
    expect(json.items[0].attachments).toEqual([
      {
        url: `${ORIGIN}/file/m1?a=1&b=2`,
        mime_type: "audio/mpeg",
        title: "Ensaio",
        size_in_bytes: 4_321,
      },
    ]);
    expect(json.items[1].attachments).toBeUndefined();
  });
});

test.each(["rss.xml", "atom.xml", "feed.json"] as const)(
  "%s gives the title, teaser and link of a locked post, and names none of its files",
  (file) => {
    const text = feedDocument(feed([locked()]), file);
    expect(text).toContain("Só para quem assina");
    expect(text).toContain("A chamada");
    expect(text).toContain("Ver as formas de acesso");
    expect(text).not.toContain("/file/");
  },
);

test("a sensitive post has no pictures, because readers would not blur them", () => {
  const text = feedDocument(feed([post({ isSensitive: true })]), "rss.xml");
  expect(text).not.toContain("/file/");
  expect(text).toContain("Conteúdo sensível");
});

test("the same posts give the same bytes, and any text gives a valid document", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.string({ unit: "binary", maxLength: 60 }),
      (content, title) => {
        const posts = () => [post({ content, title, teaser: title })];
        for (const file of ["rss.xml", "atom.xml"] as const) {
          const text = feedDocument(feed(posts()), file);
          expect(XMLValidator.validate(text)).toBe(true);
          expect(feedDocument(feed(posts()), file)).toBe(text);
        }
      },
    ),
    { numRuns: 150 },
  );
});
