import { SecretText } from "#app/components/account/api-keys/secret-text.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";

/** The ten backup codes, shown only once. */
export function BackupCodes({ title, codes }: { title: string; codes: string[] }) {
  return (
    <>
      <PageHeader
        title={title}
        lead="Guarde agora os seus códigos de reserva: eles não aparecem de novo."
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <SecretText label="Códigos de reserva" copyLabel="Copiar códigos" text={codes.join("\n")} />
        <p className="text-small text-muted">
          Cada um abre a conta uma vez, se você ficar sem o aplicativo. Guarde longe do celular.
        </p>
        <ButtonLink to="/auth/account/second-factor" className="self-start">
          Já guardei
        </ButtonLink>
      </Card>
    </>
  );
}
