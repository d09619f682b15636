import { Link } from "react-router";
import { Table, Td } from "#app/components/ui/table.tsx";
import { countOr, countText } from "./format.ts";
import type { NewsletterTotals } from "#app/domain/newsletters/queries/figures.server.ts";

/** How many people each post reached by email. Only totals: nobody sees who opened it. */
export function NewsletterFigures({ newsletters }: { newsletters: NewsletterTotals[] }) {
  if (newsletters.length === 0) return null;
  return (
    <section aria-labelledby="por-email" className="flex flex-col gap-3">
      <h2 id="por-email" className="text-heading">
        Publicações por e-mail
      </h2>
      <Table
        caption="Publicações por e-mail"
        columns={[
          { title: "Publicação" },
          { title: "Enviados", numeric: true },
          { title: "Abertos", numeric: true },
          { title: "Clicados", numeric: true },
        ]}
      >
        <tbody>
          {newsletters.map((one) => (
            <tr key={one.postId}>
              <Td>
                <Link to={`/post/${one.postId}`} className="font-semibold hover:underline">
                  {one.title}
                </Link>
              </Td>
              <Td numeric>{countText(one.sentCount)}</Td>
              <Td numeric>{countOr(one.openedCount)}</Td>
              <Td numeric>{countOr(one.clickedCount)}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="text-small text-muted">
        Contamos cada pessoa uma vez, nos 30 dias depois do envio. Quem não quer ser contado ao
        abrir só conta quando clica, e alguns programas de e-mail não dizem se a mensagem foi
        aberta. Com menos de 10 envios não mostramos abertos nem clicados, para não dizer quem foi.
      </p>
    </section>
  );
}
