import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { errorNow } from "#app/components/ui/fields/use-field-state.ts";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { TruncatedNote } from "#app/components/ui/links/pager.tsx";
import { typedPriceProblem } from "#app/domain/plans/rules/limits.ts";
import { truncateList } from "#app/domain/page.ts";
import { retryDelayMs } from "#app/components/shell/browser/query-client.tsx";

test("a field links its label, hint and error for screen readers", () => {
  const html = renderToStaticMarkup(
    <TextField
      id="preco"
      label="Preço"
      name="price"
      hint="Por mês"
      error="Use pelo menos R$ 5,00."
    />,
  );
  expect(html).toContain('<label for="preco"');
  expect(html).toContain('aria-describedby="preco-hint preco-error"');
  expect(html).toContain('aria-invalid="true"');
  expect(html).toContain('<p id="preco-error"');
});

test("a field keeps an extra description, such as a price's net amount, beside its hint", () => {
  const html = renderToStaticMarkup(
    <TextField id="preco" label="Preço" name="price" hint="Por mês" aria-describedby="volta" />,
  );
  expect(html).toContain('aria-describedby="volta preco-hint"');
});

test("a field without an error is not marked invalid", () => {
  const html = renderToStaticMarkup(<TextField id="nome" label="Nome" name="name" />);
  expect(html).not.toContain("aria-invalid");
  expect(html).not.toContain("aria-describedby");
});

test("a group of choices has its question as legend and the selected option checked", () => {
  const options = [
    { value: "pix", label: "Pix" },
    { value: "card", label: "Cartão" },
  ];
  const html = renderToStaticMarkup(
    <Choices legend="Como pagar" name="method" options={options} defaultValue="card" />,
  );
  expect(html).toMatch(/<legend[^>]*>Como pagar<\/legend>/);
  expect(html.match(/checked=""/g)).toHaveLength(1);
});

test("money keeps its symbol, sign and no-break space in every size", () => {
  expect(renderToStaticMarkup(<Money cents={123_456} />)).toContain("R$\u00a01.234,56");
  expect(renderToStaticMarkup(<Money cents={1_990} size="display" />)).toMatch(
    />R\$\u00a0<\/span>19,90</,
  );
  expect(renderToStaticMarkup(<Money cents={-500} size="large" />)).toMatch(
    />-R\$\u00a0<\/span>5,00</,
  );
});

test("a person without a picture gets a drawn avatar, always the same for a name", () => {
  const face = renderToStaticMarkup(<Avatar name="Ana Lira" src={null} />);
  expect(face).toContain("<svg");
  expect(renderToStaticMarkup(<Avatar name="Ana Lira" src={null} />)).toBe(face);
});

test("a form message renders nothing without a message", () => {
  expect(renderToStaticMarkup(<FormMessage message={null} />)).toBe("");
  expect(renderToStaticMarkup(<FormMessage message="Não deu." />)).toContain('role="alert"');
});

test("the link of a form error opens in another tab, says so, and keeps the form open", () => {
  const html = renderToStaticMarkup(
    <FormMessage message="Não deu." link={{ to: "/checkout/c1", text: "Ver o que espera" }} />,
  );
  expect(html).toMatch(
    /<a href="\/checkout\/c1" target="_blank"[^>]*>Ver o que espera \(abre em outra aba\)<\/a>/,
  );
});

test("failed queries wait 1 s, then twice as long each time, never over 30 s", () => {
  expect([0, 1, 2, 3, 4, 5, 20].map(retryDelayMs)).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
});

test("a truncated list shows a note, and a complete list shows none", () => {
  const said = (rows: readonly number[]) =>
    renderToStaticMarkup(<TruncatedNote list={truncateList(rows, 2)} />);
  expect([said([1]), said([1, 2])]).toEqual(["", ""]);
  expect(said([1, 2, 3])).toContain("As últimas 2.");
});

test("a field counts near its limit, says when it is passed, and never cuts what is typed", () => {
  const field = (defaultValue: string) =>
    renderToStaticMarkup(
      <TextField id="t" label="Título" name="title" limit={20} defaultValue={defaultValue} />,
    );
  expect(field("Roda")).not.toMatch(/caractere|maxlength/i);
  expect(field("Roda de domingo às")).toContain("Faltam 2 caracteres.");
  const over = field("Roda de domingo às oito");
  expect(over).toContain("Passou 3 caracteres do limite de 20. Encurte para salvar.");
  expect(over).toContain('aria-invalid="true"');
  expect(over).toContain('value="Roda de domingo às oito"');
});

test("a refusal goes as soon as its field is right, and not before", () => {
  const error = "Use pelo menos R$ 5,00.";
  expect(errorNow({ error, problemOf: typedPriceProblem }, null)).toBe(error);
  expect(errorNow({ error, problemOf: typedPriceProblem }, "2,00")).toMatch(/5,00/);
  expect(errorNow({ error, problemOf: typedPriceProblem }, "19,90")).toBeUndefined();
  expect(errorNow({ error: "Campo obrigatório", problemOf: undefined }, " ")).toBe(
    "Campo obrigatório",
  );
  expect(errorNow({ error: "Campo obrigatório", problemOf: undefined }, "Ana")).toBeUndefined();
  expect(errorNow({ error: undefined, problemOf: typedPriceProblem }, "2,00")).toBeUndefined();
});
