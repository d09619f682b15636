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
/** Before the id of a conversation. `use-inbox-changes.ts` reads it. */
const TYPING = "typing:";

/**
 * The open pages of one topic. It stores nothing: an update only says that something changed, and
 * each page reads with its own permissions. Sockets hibernate, so that an idle page costs nothing,
 * and stay open when the object is evicted from memory.
 */
export class LiveTopic extends DurableObject<Env> {
  /** When the pages were notified last (epoch ms), and the notice that waits. */
  private lastAt = 0;
  private gathered: ReturnType<typeof setTimeout> | undefined;

  override fetch(request: Request): Response {
    const isChat = CHAT_PATH.test(new URL(request.url).pathname);
    const most = isChat ? MOST_CHAT_LISTENERS : MOST_LISTENERS;
    if (this.ctx.getWebSockets().length >= most) return new Response(null, { status: 429 });
    const { 0: page, 1: ours } = new WebSocketPair();
    this.ctx.acceptWebSocket(ours);
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
    return this.ctx.getWebSockets().length > 0;
  }

  private send(message: string): void {
    for (const socket of this.ctx.getWebSockets()) {
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
