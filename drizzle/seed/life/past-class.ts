import { createEvent, publishEvent } from "#app/domain/events/commands.server.ts";
import { addDays, DAY_MS } from "#app/domain/time.ts";
import { fill, hourOf, plainEvent } from "./gathering.ts";
import { studioOf } from "./town.ts";
import type { SeededWorld } from "./town.ts";

/** A class of Ana's that took place three days ago, whose recording she has not published yet. */
export function planPastClass(world: SeededWorld): void {
  const { ctx } = world.rehearsal;
  world.calendar.at(world.endAt - 8 * DAY_MS, async () => {
    const creatorId = studioOf(world, "ana").person.id;
    const { eventId } = await createEvent(ctx, {
      creatorId,
      ...plainEvent(hourOf(addDays(ctx.now(), 5), 19), {
        title: "Aula ao vivo: como afinar a rabeca",
        description: "Das cravelhas ao ouvido. Traga a sua rabeca, desafinada mesmo.",
        link: "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
        capacity: 100,
      }),
    });
    await publishEvent(ctx, { eventId, creatorId });
    await fill(world, eventId, { going: 7, waiting: 0, from: 0 });
  });
}
