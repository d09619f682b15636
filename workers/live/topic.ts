import { DurableObject } from "cloudflare:workers";
import type { Env } from "#app/configuration/env.ts";

/** The maximum of open pages of one topic. Beyond it, a page must poll. */
const MOST_LISTENERS = 20;
/** The same for the chat of an event, which many people have open. See docs/architecture.md. */
const MOST_CHAT_LISTENERS = 500;
/** A topic of this kind in the path. `chatTopic` writes it. */
const CHAT_PATH = /^\/live\/event-chat(?::|%3A)/i;
/** From this message on no change is missed. The page reads once, and then again for each update. */
const LISTENING = "listening";
const CHANGED = "changed";
/** Why a socket is closed whose address expired. `use-inbox-changes.ts` reads it. */
const EXPIRED = 4001;
/** Before the id of a conversation. `use-inbox-changes.ts` reads it. */
const TYPING = "typing:";

/** Until when the address of a socket is valid (epoch ms). */
type Attached = { until: number };

/**
 * The open pages of one topic. It stores nothing: an update only says that something changed, and
 * each page reads with its own permissions. Sockets hibernate, so that an idle page costs nothing,
 * and stay open when the object is evicted from memory. One whose address expired hears nothing
 * more: the next update closes it, and its page asks for another address with its session.
 */
export class LiveTopic extends DurableObject<Env> {
  /** When the pages were notified last (epoch ms), and the notice that waits. */
  private lastAt = 0;
  private gathered: ReturnType<typeof setTimeout> | undefined;

  override fetch(request: Request): Response {
    const { pathname, searchParams } = new URL(request.url);
    const isChat = CHAT_PATH.test(pathname);
    const most = isChat ? MOST_CHAT_LISTENERS : MOST_LISTENERS;
    if (this.listening().length >= most) return new Response(null, { status: 429 });
    const { 0: page, 1: ours } = new WebSocketPair();
    this.ctx.acceptWebSocket(ours);
    ours.serializeAttachment({ until: Number(searchParams.get("until")) } satisfies Attached);
    ours.send(LISTENING);
    return new Response(null, { status: 101, webSocket: page });
  }

  /** Notifies every connected page: at once, or so that two notices are at least `gatherMs` apart. */
  notify(gatherMs = 0): void {
    const waitMs = Math.min(this.lastAt + gatherMs - Date.now(), gatherMs);
    if (waitMs <= 0) return this.sendChanged();
    this.gathered ??= setTimeout(() => this.sendChanged(), waitMs);
  }

  private sendChanged(): void {
    clearTimeout(this.gathered);
    this.gathered = undefined;
    this.lastAt = Date.now();
    this.send(CHANGED);
  }

  /** Sends every connected page that somebody is typing. */
  sendTyping(conversationId: string): void {
    this.send(`${TYPING}${conversationId}`);
  }

  /** Whether a page is connected. */
  isListening(): boolean {
    return this.listening().length > 0;
  }

  /** The open sockets. Closes those whose address expired. */
  private listening(): WebSocket[] {
    const now = Date.now();
    return this.ctx.getWebSockets().filter((socket) => {
      const attached = socket.deserializeAttachment() as Attached | null;
      if (attached && attached.until > now) return true;
      socket.close(EXPIRED, "the address expired");
      return false;
    });
  }

  private send(message: string): void {
    for (const socket of this.listening()) {
      try {
        socket.send(message);
      } catch {
        // The page disconnected meanwhile.
      }
    }
  }

  /** Pages only receive. */
  override webSocketMessage(socket: WebSocket): void {
    socket.close(1008, "listen only");
  }

  override webSocketClose(socket: WebSocket): void {
    socket.close();
  }
}
