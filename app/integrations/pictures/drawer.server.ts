import type { Log } from "#app/domain/context.ts";
import type { PictureDrawer } from "#app/domain/syndication/schema.ts";

/**
 * Implements PictureDrawer with the pictures worker. Without it nothing is drawn, and links are
 * shared without a picture.
 */
export function pictureDrawer(worker: Pick<Fetcher, "fetch"> | undefined, log: Log): PictureDrawer {
  return {
    async draw(picture) {
      if (!worker) return null;
      const answer = await worker.fetch(
        new Request("https://pictures/", { method: "POST", body: JSON.stringify(picture) }),
      );
      if (answer.ok) return answer.body;
      log("syndication.picture_failed", { status: answer.status });
      return null;
    },
  };
}
