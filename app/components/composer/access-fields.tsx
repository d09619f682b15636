import { typedPriceProblem } from "#app/domain/plans/rules/limits.ts";
import { useState } from "react";
import { Link } from "react-router";
import { singlePriceNetText } from "#app/components/plan-form/price-net.ts";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import type { AccessWay } from "#app/domain/posts/schema/composing.ts";

export type FieldsProps = { errors: Record<string, string>; values: Record<string, string> };
/** Selling state of the author: the fee of each sale, and whether sales are allowed yet. */
export type SellingState = { feeBasisPoints: number; canSell: boolean };
type AccessProps = FieldsProps & {
  plans: { id: string; name: string; price: string }[];
  selling: SellingState;
};

const OPENINGS: { way: AccessWay; label: string }[] = [
  { way: "public", label: "Abre para todo mundo em" },
  { way: "followers", label: "Abre para quem segue em" },
  { way: "subscribers", label: "Abre para quem assina em" },
  { way: "plans", label: "Abre para os planos em" },
  { way: "price", label: "Começa a ser vendida em" },
];

const SHOWN: Record<AccessWay, string> = {
  public: "group-has-[input[value=public]:checked]/access:flex",
  followers: "group-has-[input[value=followers]:checked]/access:flex",
  subscribers: "group-has-[input[value=subscribers]:checked]/access:flex",
  plans: "group-has-[input[value=plans]:checked]/access:flex",
  price: "group-has-[input[value=price]:checked]/access:flex",
};

/**
 * Fields for who gets access. Any one way is enough, and each may start later. CSS alone shows the
 * fields of a chosen way.
 */
export function AccessFields({ plans, selling, errors, values }: AccessProps) {
  const chosen = (values["ways"] ?? "").split("\n");
  const hasOpening = OPENINGS.some(({ way }) => values[`${way}OpensAt`] || errors[`${way}OpensAt`]);
  return (
    <div className="group/access flex flex-col gap-5">
      <Choices
        legend="Quem pode ver"
        hidesLegend
        name="ways"
        type="checkbox"
        hint="Marque um ou mais: basta um deles para ver."
        defaultValue={chosen}
        error={errors["ways"]}
        options={[
          { value: "public", label: "Todo mundo", hint: "Aparece também para quem não tem conta." },
          { value: "followers", label: "Quem segue", hint: "Seguir é de graça." },
          { value: "subscribers", label: "Quem assina", hint: "Qualquer um dos seus planos." },
          ...(plans.length > 0
            ? [{ value: "plans", label: "Quem assina alguns planos", hint: "Você escolhe quais." }]
            : []),
          {
            value: "price",
            label: "Quem comprar só esta",
            hint: "Um pagamento só, e ela fica com a pessoa.",
          },
        ]}
      />
      {plans.length === 0 ? (
        <p className="text-small text-muted">
          Para publicar só para um plano,{" "}
          <Link to="/plan/create" className="font-semibold text-leaf hover:underline">
            crie o primeiro
          </Link>
          .
        </p>
      ) : (
        <div className={`hidden ${SHOWN.plans}`}>
          <Choices
            className="flex-1"
            legend="Planos que abrem esta publicação"
            name="planIds"
            type="checkbox"
            defaultValue={(values["planIds"] ?? "").split("\n")}
            error={errors["planIds"]}
            options={plans.map((plan) => ({ value: plan.id, label: plan.name, hint: plan.price }))}
          />
        </div>
      )}
      <div className={errors["price"] ? "flex" : `hidden ${SHOWN.price}`}>
        <PriceField selling={selling} errors={errors} values={values} />
      </div>
      <details open={hasOpening} className="rounded-field border border-line px-4">
        <summary className="flex min-h-12 items-center font-semibold">
          Abrir mais tarde para alguns
        </summary>
        <div className="flex flex-col gap-4 pb-4">
          <p className="text-small text-muted">
            Em branco, abre junto com a publicação. Vale o horário de Brasília.
          </p>
          {OPENINGS.map(({ way, label }) => (
            <div key={way} className={`hidden flex-col ${SHOWN[way]}`}>
              <TextField
                type="datetime-local"
                label={label}
                name={`${way}OpensAt`}
                defaultValue={values[`${way}OpensAt`]}
                error={errors[`${way}OpensAt`]}
                required={false}
              />
            </div>
          ))}
        </div>
      </details>
    </div>
  );
}

/** Price field that shows the author's net amount while typing. */
function PriceField({
  selling: { feeBasisPoints, canSell },
  errors,
  values,
}: FieldsProps & { selling: SellingState }) {
  const [price, setPrice] = useState(values["price"] ?? "");
  const netText = singlePriceNetText(price, feeBasisPoints);
  return (
    <div className="flex flex-1 flex-col gap-1.5">
      <TextField
        label="Preço desta publicação"
        name="price"
        prefix="R$"
        inputMode="decimal"
        placeholder="15,00"
        defaultValue={values["price"]}
        error={errors["price"]}
        problemOf={typedPriceProblem}
        aria-describedby="sale-price-return"
        onChange={(event) => setPrice(event.currentTarget.value)}
        hint="De R$ 5,00 a R$ 5.000,00. Abaixo de R$ 10,00, só no Pix."
        className="sm:max-w-72"
      />
      <p
        id="sale-price-return"
        aria-live="polite"
        className={`text-small font-semibold ${netText?.isProblem ? "text-attention" : "text-leaf"}`}
      >
        {netText?.text}
      </p>
      {canSell ? null : (
        <p className="text-small text-muted">
          Para vender,{" "}
          <Link to="/settings/check-documents" className="font-semibold text-leaf hover:underline">
            envie os seus documentos
          </Link>{" "}
          antes. Leva um minuto; o que você escreveu fica guardado como rascunho.
        </p>
      )}
    </div>
  );
}
