import { DurableObject } from "cloudflare:workers";
import type { Env } from "#app/configuration/env.ts";

/** The maximum of open pages per topic. Beyond it, a page must poll. */
const MOST_LISTENERS = 20;
/** From this message on no change is missed. The page reads once, and then again for each update. */
const LISTENING = "listening";
const CHANGED = "changed";
/** Before the id of a conversation. `use-inbox-changes.ts` reads it. */
const TYPING = "typing:";

/**
 * The open pages of one topic. It stores nothing: an update only says that something changed, and
 * each page reads with its own permissions. Sockets hibernate, so that an idle page costs nothing.
 */
export class LiveTopic extends DurableObject<Env> {
  override fetch(): Response {
    if (this.ctx.getWebSockets().length >= MOST_LISTENERS)
      return new Response(null, { status: 429 });
    const { 0: page, 1: ours } = new WebSocketPair();
    this.ctx.acceptWebSocket(ours);
    ours.send(LISTENING);
    return new Response(null, { status: 101, webSocket: page });
  }

  /** Notifies every connected page. */
  notify(): void {
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
