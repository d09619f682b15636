import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import { CoverFields } from "#app/components/media/cover-fields.tsx";
import { SpaceForm } from "#app/components/shell/space-form.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import {
  CheckboxField,
  SelectField,
  TextArea,
  TextField,
} from "#app/components/ui/fields/field.tsx";
import {
  EVENT_DESCRIPTION_MAX,
  EVENT_LINK_MAX,
  EVENT_PLACE_MAX,
  EVENT_TITLE_MAX,
  SEATS_PER_PERSON_MAX,
} from "#app/domain/events/rules.ts";
import { OFFERED_ZONES, zonePlace } from "#app/domain/events/times/rules.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type EventFormProps = {
  values: Record<string, string>;
  coverMediaId: string | null;
  plans: { id: string; name: string }[];
  problem: FormProblem | undefined;
  /** A published event is only saved; a draft may be published too. */
  isPublished: boolean;
  /** The questions about its dates: how a new one repeats, or which ones change. */
  dates: ReactNode;
};

/** The form of an event: what, when, where, and for whom. */
export function EventForm({
  values: initial,
  coverMediaId,
  plans,
  problem,
  isPublished,
  dates,
}: EventFormProps) {
  const isBusy = useNavigation().state !== "idle";
  // A box that was not ticked is in no form.
  const unticked: Record<string, string> = problem ? { needsApproval: "" } : {};
  const values = { ...initial, ...unticked, ...problem?.values };
  const errors = problem?.errors ?? {};
  return (
    <SpaceForm problem={problem} encType="multipart/form-data">
      {initial["revision"] === undefined ? null : (
        <input type="hidden" name="revision" value={values["revision"] ?? ""} />
      )}
      <TextField
        label="Título"
        name="title"
        defaultValue={values["title"]}
        error={errors["title"]}
        limit={EVENT_TITLE_MAX}
        required
        placeholder="Roda de rabeca na praça"
      />
      <TextArea
        label="Texto"
        name="description"
        rows={5}
        defaultValue={values["description"]}
        error={errors["description"]}
        limit={EVENT_DESCRIPTION_MAX}
        required={false}
        hint="O que vai acontecer, e o que trazer."
      />
      <WhenFields values={values} errors={errors} />
      {dates}
      <WhereFields values={values} errors={errors} />
      <SeatFields values={values} errors={errors} plans={plans} />
      <CoverFields values={values} errors={errors} coverMediaId={coverMediaId} />
      <div className="flex flex-wrap gap-2">
        {isPublished ? (
          <Button size="lg" disabled={isBusy}>
            Salvar alterações
          </Button>
        ) : (
          <>
            <Button size="lg" name="publish" value="true" disabled={isBusy}>
              Publicar evento
            </Button>
            <Button size="lg" variant="outline" disabled={isBusy}>
              Salvar rascunho
            </Button>
          </>
        )}
      </div>
    </SpaceForm>
  );
}

type FieldsProps = { values: Record<string, string>; errors: Record<string, string> };

function WhenFields({ values, errors }: FieldsProps) {
  const chosen = values["timeZone"] ?? OFFERED_ZONES[0];
  const zones: string[] = [...OFFERED_ZONES];
  if (!zones.includes(chosen)) zones.push(chosen);
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        type="datetime-local"
        label="Começa"
        name="startsAt"
        defaultValue={values["startsAt"]}
        error={errors["startsAt"]}
        required
      />
      <TextField
        type="datetime-local"
        label="Termina"
        name="endsAt"
        defaultValue={values["endsAt"]}
        error={errors["endsAt"]}
        required
      />
      <SelectField
        label="Fuso horário"
        name="timeZone"
        defaultValue={chosen}
        error={errors["timeZone"]}
        options={zones.map((zone) => ({ value: zone, label: zonePlace(zone) }))}
        className="sm:col-span-2"
        hint="As horas acima são deste lugar. Quem está em outro fuso lê também a sua."
      />
    </div>
  );
}

function WhereFields({ values, errors }: FieldsProps) {
  return (
    <>
      <TextField
        label="Lugar"
        name="place"
        defaultValue={values["place"]}
        error={errors["place"]}
        limit={EVENT_PLACE_MAX}
        required={false}
        placeholder="Praça da Matriz, Olinda"
        hint="Quem vê o evento vê o lugar. Em branco, ele é só on-line."
      />
      <TextField
        label="Link"
        name="link"
        inputMode="url"
        autoComplete="off"
        defaultValue={values["link"]}
        error={errors["link"]}
        limit={EVENT_LINK_MAX}
        required={false}
        placeholder="https://"
        hint="Da chamada ou da transmissão. Só quem tem vaga vê."
      />
      <div className="group/link grid gap-5 sm:grid-cols-2">
        <SelectField
          label="Mostrar o link"
          name="linkFrom"
          defaultValue={values["linkFrom"] ?? "seat"}
          error={errors["linkFrom"]}
          options={[
            { value: "seat", label: "Na hora da vaga" },
            { value: "60", label: "1 hora antes" },
            { value: "15", label: "15 minutos antes" },
            { value: "other", label: "Outro tempo antes" },
          ]}
          hint="Até lá, quem tem vaga lê quando ele aparece."
        />
        <TextField
          label="Minutos antes"
          name="linkMinutes"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={values["linkMinutes"]}
          error={errors["linkMinutes"]}
          required={false}
          hint="Só para outro tempo: 120 são 2 horas."
          className={
            errors["linkMinutes"] ? "" : "hidden group-has-[option[value=other]:checked]/link:flex"
          }
        />
      </div>
    </>
  );
}

function SeatFields({
  values,
  errors,
  plans,
}: FieldsProps & { plans: { id: string; name: string }[] }) {
  return (
    <div className="group/access flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Vagas"
          name="capacity"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={values["capacity"]}
          error={errors["capacity"]}
          required={false}
          hint="Em branco, não há limite. Com todas ocupadas, abre uma fila."
        />
        <SelectField
          label="Vagas por pessoa"
          name="maxPerPerson"
          defaultValue={values["maxPerPerson"] ?? "1"}
          error={errors["maxPerPerson"]}
          options={Array.from({ length: SEATS_PER_PERSON_MAX }, (_, index) => ({
            value: String(index + 1),
            label: String(index + 1),
          }))}
        />
      </div>
      <SelectField
        label="Devolver o dinheiro a quem cancelar"
        name="refundHours"
        defaultValue={values["refundHours"] ?? "48"}
        error={errors["refundHours"]}
        options={[
          { value: "0", label: "Até o começo" },
          { value: "24", label: "Até 24 horas antes" },
          { value: "48", label: "Até 48 horas antes" },
          { value: "168", label: "Até 7 dias antes" },
          { value: "law", label: "Só nos 7 dias depois da compra" },
        ]}
        hint="Vale para ingressos pagos, que você cria depois de salvar. Cada pessoa mantém a regra do dia em que comprou."
      />
      <AccessFields values={values} errors={errors} plans={plans} />
      <CheckboxField
        label="Aprovar cada pedido de vaga"
        name="needsApproval"
        value="true"
        defaultChecked={values["needsApproval"] === "true"}
        hint="Em vez de pegar a vaga, a pessoa pede, e você responde até o começo. O pedido não guarda vaga. Num ingresso pago, quem você aprova tem 12 horas para comprar. Quem já está na fila mantém o lugar, e recebe as vagas que abrirem sem pedir."
      />
    </div>
  );
}

function AccessFields({
  values,
  errors,
  plans,
}: FieldsProps & { plans: { id: string; name: string }[] }) {
  return (
    <>
      <Choices
        legend="Quem pode ir"
        name="access"
        defaultValue={values["access"] ?? "public"}
        error={errors["access"]}
        options={[
          { value: "public", label: "Todo mundo", hint: "Com uma conta no Coreto." },
          { value: "followers", label: "Quem segue", hint: "Seguir é de graça." },
          { value: "subscribers", label: "Quem assina", hint: "Qualquer um dos seus planos." },
          ...(plans.length > 0
            ? [{ value: "plans", label: "Quem assina alguns planos", hint: "Você escolhe quais." }]
            : []),
        ]}
      />
      {plans.length > 0 ? (
        <div
          className={
            errors["planIds"] ? "flex" : "hidden group-has-[input[value=plans]:checked]/access:flex"
          }
        >
          <Choices
            className="flex-1"
            legend="Planos que dão vaga"
            name="planIds"
            type="checkbox"
            defaultValue={(values["planIds"] ?? "").split("\n")}
            error={errors["planIds"]}
            options={plans.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
      ) : null}
    </>
  );
}
