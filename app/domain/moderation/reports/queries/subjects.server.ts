import { and, eq, isNull, sql } from "drizzle-orm";
import { commentForViewer } from "#app/domain/comments/queries.server.ts";
import type { Context } from "#app/domain/context.ts";
import { chatMessage } from "#app/domain/event-chat/queries.server.ts";
import { eventFor } from "#app/domain/events/queries.server.ts";
import { messageSnapshot } from "#app/domain/messages/queries/message.server.ts";
import { parseMessageSubjectId } from "#app/domain/moderation/reports/rules/subjects.ts";
import type {
  Evidence,
  EvidenceFile,
  ReportSubject,
  SubjectKind,
} from "#app/domain/moderation/reports/schema.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import { profileFor } from "#app/domain/profiles/queries.server.ts";
import type { ProfileLink } from "#app/domain/profiles/rules/links.ts";
import { comments } from "#drizzle/schema/comments.ts";
import { events } from "#drizzle/schema/events.ts";
import { messages } from "#drizzle/schema/messages.ts";
import { people } from "#drizzle/schema/identity.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** `there`: others see it. `hidden`: a moderator or its owner hid it. */
type SubjectState = "there" | "hidden" | "deleted";
export type SubjectNow = { authorId: string; state: SubjectState; evidence: Evidence };

type SubjectReader = {
  /** Whether the person can see the subject, and so report it. */
  isVisible(ctx: Context, subject: { id: string; viewerId: string }): Promise<boolean>;
  /** The whole subject as it is now, whoever may see it; null when its row is gone. */
  read(ctx: Context, subject: { id: string }): Promise<SubjectNow | null>;
};

const SUBJECT_READERS: Record<SubjectKind, SubjectReader> = {
  post: {
    isVisible: async (ctx, { id, viewerId }) => {
      const post = await postFor(ctx, { postId: id, viewerId });
      return post?.state === "published";
    },
    read: readPost,
  },
  comment: {
    isVisible: async (ctx, { id, viewerId }) =>
      await commentForViewer(ctx, { commentId: id, viewerId }),
    read: readComment,
  },
  event: {
    isVisible: async (ctx, { id, viewerId }) =>
      (await eventFor(ctx, { eventId: id, viewerId })) !== null,
    read: readEvent,
  },
  profile: {
    isVisible: async (ctx, { id, viewerId }) =>
      (await profileFor(ctx, { key: id, viewerId })) !== null,
    read: readProfile,
  },
  message: {
    isVisible: async (ctx, { id, viewerId }) => {
      const message = parseMessageSubjectId(id);
      if (message === null) return false;
      if ((await messageSnapshot(ctx, { ...message, personId: viewerId })) !== null) return true;
      const { conversationId: eventId, seq } = message;
      return (await chatMessage(ctx, { eventId, viewerId, seq })) !== null;
    },
    read: readMessage,
  },
};

/** Reads a subject for its reporter; null when they cannot see it. */
export async function subjectForReporter(
  ctx: Context,
  { subject, viewerId }: { subject: ReportSubject; viewerId: string },
): Promise<SubjectNow | null> {
  const reader = SUBJECT_READERS[subject.kind];
  const [isVisible, now] = await Promise.all([
    reader.isVisible(ctx, { id: subject.id, viewerId }),
    reader.read(ctx, { id: subject.id }),
  ]);
  return isVisible && now?.state !== "deleted" ? now : null;
}

/** Reads a subject as it is now, for moderators; null when nothing of it is left. */
export async function subjectNow(
  ctx: Context,
  { kind, id }: ReportSubject,
): Promise<SubjectNow | null> {
  return await SUBJECT_READERS[kind].read(ctx, { id });
}

const filesOfPost = sql<
  EvidenceFile[]
>`(SELECT json_group_array(json_object('id', item.id, 'kind', item.kind, 'alt', item.alt))
  FROM (SELECT m.id, m.kind, m.alt FROM post_media pm JOIN media m ON m.id = pm.media_id WHERE pm.post_id = posts.id ORDER BY pm.position) item)`
  .mapWith((text: string): EvidenceFile[] => JSON.parse(text))
  .as("files");

async function readPost(ctx: Context, { id }: { id: string }): Promise<SubjectNow | null> {
  const [row] = await ctx.db
    .select({
      authorId: posts.authorId,
      title: posts.title,
      teaser: posts.teaser,
      content: posts.content,
      isSensitive: posts.isSensitive,
      editedAt: posts.editedAt,
      heldAt: posts.heldAt,
      deletedAt: posts.deletedAt,
      files: filesOfPost,
    })
    .from(posts)
    .where(eq(posts.id, id))
    .limit(1);
  if (!row) return null;
  const { authorId, heldAt, deletedAt, ...shown } = row;
  return { authorId, state: stateOf(heldAt, deletedAt), evidence: { kind: "post", ...shown } };
}

async function readEvent(ctx: Context, { id }: { id: string }): Promise<SubjectNow | null> {
  const [row] = await ctx.db
    .select({
      authorId: events.creatorId,
      title: events.title,
      description: events.description,
      place: events.place,
      link: sql<string>`COALESCE(${events.link}, '')`.as("event_link"),
      startsAt: events.startsAt,
      timeZone: events.timeZone,
      heldAt: events.heldAt,
      files: sql<
        EvidenceFile[]
      >`(SELECT json_group_array(json_object('id', m.id, 'kind', m.kind, 'alt', m.alt)) FROM media m WHERE m.id = events.cover_media_id)`
        .mapWith((text: string): EvidenceFile[] => JSON.parse(text))
        .as("event_files"),
    })
    .from(events)
    .where(and(eq(events.id, id), sql`${events.status} <> 'draft'`))
    .limit(1);
  if (!row) return null;
  const { authorId, heldAt, ...shown } = row;
  return { authorId, state: stateOf(heldAt, null), evidence: { kind: "event", ...shown } };
}

async function readComment(ctx: Context, { id }: { id: string }): Promise<SubjectNow | null> {
  const [row] = await ctx.db
    .select({
      authorId: sql<string>`comments.author_id`.as("commenter_id"),
      body: comments.body,
      editedAt: comments.editedAt,
      hiddenAt: comments.hiddenAt,
      deletedAt: comments.deletedAt,
      postId: comments.postId,
      postTitle: posts.title,
    })
    .from(comments)
    .innerJoin(posts, eq(posts.id, comments.postId))
    .where(eq(comments.id, id))
    .limit(1);
  if (!row) return null;
  const { authorId, hiddenAt, deletedAt, ...shown } = row;
  return { authorId, state: stateOf(hiddenAt, deletedAt), evidence: { kind: "comment", ...shown } };
}

async function readMessage(ctx: Context, { id }: { id: string }): Promise<SubjectNow | null> {
  const place = parseMessageSubjectId(id);
  if (place === null) return null;
  const [row] = await ctx.db
    .select({
      authorId: messages.senderId,
      body: messages.body,
      editedAt: messages.editedAt,
      deletedAt: messages.deletedAt,
      priceCents: messages.priceCents,
      isOfEvent:
        sql<boolean>`EXISTS (SELECT 1 FROM conversations room WHERE room.id = messages.conversation_id AND room.kind = 'event')`
          .mapWith(Boolean)
          .as("is_of_event"),
      files: sql<
        EvidenceFile[]
      >`(SELECT json_group_array(json_object('id', m.id, 'kind', m.kind, 'alt', m.alt)) FROM (SELECT f.id, f.kind, f.alt FROM message_files placed JOIN media f ON f.id = placed.media_id WHERE placed.files_id = messages.files_id ORDER BY placed.position) m)`
        .mapWith((text: string): EvidenceFile[] => JSON.parse(text))
        .as("message_files"),
    })
    .from(messages)
    .where(
      and(
        eq(messages.conversationId, place.conversationId),
        eq(messages.seq, place.seq),
        // Nobody wrote the line of a tip.
        isNull(messages.tipCents),
      ),
    )
    .limit(1);
  if (!row) return null;
  const { authorId, deletedAt, isOfEvent, ...shown } = row;
  return {
    authorId,
    state: stateOf(null, deletedAt),
    evidence: { kind: "message", ...place, ...shown, ...(isOfEvent ? { isOfEvent } : {}) },
  };
}

async function readProfile(ctx: Context, { id }: { id: string }): Promise<SubjectNow | null> {
  const [row] = await ctx.db
    .select({
      name: profiles.name,
      username: profiles.username,
      craft: profiles.craft,
      city: profiles.city,
      bio: profiles.bio,
      links: sql<ProfileLink[]>`profiles.links`
        .mapWith((text: string): ProfileLink[] => JSON.parse(text))
        .as("profile_links"),
      avatarMediaId: profiles.avatarMediaId,
      bannerMediaId: profiles.bannerMediaId,
      bannedAt: people.bannedAt,
      deletedAt: people.deletedAt,
    })
    .from(profiles)
    .innerJoin(people, eq(people.id, profiles.personId))
    .where(eq(profiles.personId, id))
    .limit(1);
  if (!row) return null;
  const { avatarMediaId, bannerMediaId, bannedAt, deletedAt, links, ...shown } = row;
  const image = (mediaId: string | null, alt: string): EvidenceFile[] =>
    mediaId === null ? [] : [{ id: mediaId, kind: "image", alt }];
  return {
    authorId: id,
    state: stateOf(bannedAt, deletedAt),
    evidence: {
      kind: "profile",
      ...shown,
      links: links.map(({ title, url }) => `${title}: ${url}`),
      files: [...image(avatarMediaId, "Foto do perfil"), ...image(bannerMediaId, "Capa do perfil")],
    },
  };
}

const stateOf = (hiddenAt: number | null, deletedAt: number | null): SubjectState =>
  deletedAt !== null ? "deleted" : hiddenAt !== null ? "hidden" : "there";
