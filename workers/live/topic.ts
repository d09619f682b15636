import { DurableObject } from "cloudflare:workers";
import type { Env } from "#app/env.ts";

/** Pages of one topic open at once: somebody with that many tabs asks by themselves again. */
const MOST_LISTENERS = 20;
/** From here on nothing is missed: the page asks once, and then when it is told. */
const LISTENING = "listening";
const NEWS = "changed";

/**
 * Those who listen to one topic. It keeps nothing and knows nothing: the news says only that
 * something changed, and each page asks by its own right what. Sockets hibernate, so that a page
 * that waits for half an hour costs nothing while it waits.
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

  /** Tells every page that listens. */
  tell(): void {
    for (const socket of this.ctx.getWebSockets()) {
      try {
        socket.send(NEWS);
      } catch {
        // A page that went away meanwhile.
      }
    }
  }

  /** Pages have nothing to say here. */
  override webSocketMessage(socket: WebSocket): void {
    socket.close(1008, "listen only");
  }

  override webSocketClose(socket: WebSocket): void {
    socket.close();
  }
}
