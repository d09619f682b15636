/** Answers with an iCalendar file that browsers download as `coreto.ics`. */
export function calendarResponse(text: string, headers: Record<string, string>): Response {
  return new Response(text, {
    headers: {
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": 'attachment; filename="coreto.ics"',
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  });
}
