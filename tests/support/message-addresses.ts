/** Every address that leads into one conversation, as `app/routes.ts` writes it. */
export const CONVERSATION_ADDRESSES = [
  "messages/:id",
  "messages/:id/act",
  "messages/:id/changes",
  "messages/:id/send",
  "messages/:id/files",
  "messages/:id/search",
  "messages/:id/presence",
  "messages/:id/:seq/edit",
  "messages/:id/:seq/deletion",
  "messages/:id/:seq/reaction",
  "messages/paid/:messageId",
  "api/v1/conversations/:id",
  "api/v1/conversations/:id/files",
] as const;

/** Addresses of messages without a conversation in them; each has a test of its own access. */
export const OTHER_MESSAGE_ADDRESSES = [
  "messages",
  "messages/link",
  "messages/new/:username",
  "messages/broadcasts",
  "messages/broadcasts/new",
  "messages/broadcasts/files",
  "messages/broadcasts/:id",
  "messages/broadcasts/:id/edit",
  "messages/broadcasts/:id/schedule",
  "messages/broadcasts/:id/cancellation",
  "settings/messages",
  "api/v1/conversations",
] as const;
