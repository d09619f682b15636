import type { Context } from "#app/domain/context.ts";
import { TooManyMessages } from "#app/domain/messages/errors.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { messagesOf } from "#app/domain/messages/queries.server.ts";
import { prepareMessageFiles } from "#app/domain/messages/commands/files.server.ts";
import type { Message, UploadedFile } from "#app/domain/messages/schema.ts";

type Outgoing = { clientMessageId: string; text: string; uploaded: UploadedFile[] };

/** Small, so that a device needs several pages to catch up. */
const CHANGES_PAGE = 3;

/**
 * One device of a person in a conversation. It shows what it was told by the last revision that it
 * saw, and sends its own messages one after the other, as the outbox of a page does.
 */
export class MessageDevice {
  readonly shown = new Map<number, Message>();
  /** Every message that was written here, in its order. */
  readonly written: Outgoing[] = [];
  /** The seqs that the server answered, by key. */
  readonly acknowledged = new Map<string, number>();
  isOnline = true;
  private waiting: Outgoing[] = [];
  private revision = 0;
  private isSending = false;
  private readonly ctx: Context;
  private readonly place: { conversationId: string; personId: string };
  private readonly name: string;

  constructor(ctx: Context, place: { conversationId: string; personId: string; name: string }) {
    const { name, ...own } = place;
    this.ctx = ctx;
    this.place = own;
    this.name = name;
  }

  write(uploaded: UploadedFile[] = []): void {
    const key = `${this.name}-message-${this.written.length}`;
    const text = `${this.name} ${this.written.length}`;
    const message = { clientMessageId: key, text, uploaded };
    this.written.push(message);
    this.waiting.push(message);
  }

  /** Sends what waits, in its order. `losesAnswer`: the first is stored, but nobody hears of it. */
  async flush({ losesAnswer = false } = {}): Promise<void> {
    if (!this.isOnline || this.isSending) return;
    this.isSending = true;
    try {
      for (let next = this.waiting[0]; next; next = this.waiting[0]) {
        const seq = await this.request(next);
        if (losesAnswer || !this.isOnline) return;
        this.acknowledge(next, seq);
        this.waiting.shift();
      }
    } catch (error) {
      // The rest waits for the limit to be over.
      if (!(error instanceof TooManyMessages)) throw error;
    } finally {
      this.isSending = false;
    }
  }

  /** A request of earlier arrives again, however long after. */
  async repeat(index: number): Promise<void> {
    const sent = this.written.slice(0, this.written.length - this.waiting.length);
    const message = sent[index % Math.max(1, sent.length)];
    if (message) this.acknowledge(message, await this.request(message));
  }

  /** Asks for everything after the last seen revision, in pages. */
  async catchUp(): Promise<void> {
    if (!this.isOnline) return;
    for (;;) {
      const page = await messagesOf(this.ctx, {
        ...this.place,
        changedAfter: this.revision,
        limit: CHANGES_PAGE,
      });
      if (page.length === 0) return;
      for (const message of page) {
        const known = this.shown.get(message.seq);
        if (!known || known.revision <= message.revision) this.shown.set(message.seq, message);
        this.revision = Math.max(this.revision, message.revision);
      }
    }
  }

  /** What the device shows, in the order of the screen. */
  screen(): Message[] {
    return [...this.shown.values()].toSorted((one, other) => one.seq - other.seq);
  }

  get isDone(): boolean {
    return this.waiting.length === 0;
  }

  private async request({ clientMessageId, text, uploaded }: Outgoing): Promise<number> {
    const place = { ...this.place, clientMessageId };
    const about = { files: [], isSensitive: false, recording: null, priceCents: null };
    const files = await prepareMessageFiles(this.ctx, { ...place, uploaded, ...about });
    const { seq } = await sendMessage(this.ctx, { ...place, writtenById: null, text, files });
    return seq;
  }

  private acknowledge({ clientMessageId }: Outgoing, seq: number): void {
    const before = this.acknowledged.get(clientMessageId) ?? seq;
    if (before !== seq) throw new Error(`${clientMessageId} is ${before} and ${seq}`);
    this.acknowledged.set(clientMessageId, seq);
  }
}
