const HEADERS = { "Cache-Control": "private, no-store" };

export const CSV_PAGE_ROWS = 500;
/** What a spreadsheet opens without suffering, and far below what one request may ask the database. */
export const CSV_ROWS_MAX = 100_000;

/** A spreadsheet of `pieces`, sent as they are made and never held whole. */
export function csvFile(filename: string, pieces: AsyncGenerator<string>): Response {
  return streamedFile(filename, "text/csv; charset=utf-8", pieces);
}

/** The same of another type. */
export function streamedFile(
  filename: string,
  type: string,
  pieces: AsyncGenerator<string>,
): Response {
  return new Response(streamOf(pieces), {
    headers: {
      ...HEADERS,
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${filename}"`,
    },
  });
}

/** The answer in place of a file that was asked for wrongly, or that nobody could open. */
export function fileErrorResponse(status: 400 | 413, sentence: string): Response {
  return new Response(sentence, {
    status,
    headers: { ...HEADERS, "Content-Type": "text/plain; charset=utf-8" },
  });
}

/** Asks for the next piece when the last one was taken: whoever stops reading stops the queries. */
function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
