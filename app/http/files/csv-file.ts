const HEADERS = { "Cache-Control": "private, no-store" };

export const CSV_PAGE_ROWS = 500;
/** A size that spreadsheets open easily, and far below the query limit of one request. */
export const CSV_ROWS_MAX = 100_000;

/** Streams a spreadsheet of `pieces`, never held in memory as a whole. */
export function csvFile(filename: string, pieces: AsyncGenerator<string>): Response {
  return streamedFile(filename, "text/csv; charset=utf-8", pieces);
}

/** The same for another type. */
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

/** The response to an invalid file request, or for a file too large to open. */
export function fileErrorResponse(status: 400 | 413, message: string): Response {
  return new Response(message, {
    status,
    headers: { ...HEADERS, "Content-Type": "text/plain; charset=utf-8" },
  });
}

/** Requests the next piece after the last was read: an aborted download stops the queries. */
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
