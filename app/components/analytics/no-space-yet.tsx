import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";

/** The numbers of a member without a page. */
export function NoSpaceYet() {
  return (
    <div className="max-w-[1036px]">
      <PageHeader title="Números" />
      <EmptyState
        title="Os números são de quem publica"
        action={<ButtonLink to="/space/create">Abrir minha página</ButtonLink>}
      >
        Abra a sua página e veja aqui quem chega, o que mais gostam e quanto você recebe.
      </EmptyState>
    </div>
  );
}
