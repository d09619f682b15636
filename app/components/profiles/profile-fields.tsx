import { CropField } from "#app/components/media/crop-field.tsx";
import { SelectField, TextArea, TextField } from "#app/components/ui/fields/field.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { NAME_MAX } from "#app/domain/identity/schema.ts";
import {
  BIO_MAX,
  CATEGORY_LABELS,
  CITY_MAX,
  CRAFT_MAX,
  creatorCategories,
} from "#app/domain/profiles/rules/categories.ts";

type Problem = { errors: Record<string, string>; values: Record<string, string> } | undefined;
type Initial = { name: string; bio: string; craft: string; city: string; category: string };

const CATEGORIES = [
  { value: "", label: "Nenhum destes" },
  ...creatorCategories.map((category) => ({ value: category, label: CATEGORY_LABELS[category] })),
];

/** Fields of a profile; a refused form keeps the typed values. */
export function ProfileFields({
  initial,
  problem,
  isCreator,
  withPictures = true,
}: {
  initial: Initial;
  problem: Problem;
  isCreator: boolean;
  /** A new page asks for its pictures on the screens after it. */
  withPictures?: boolean;
}) {
  useFirstError(problem);
  const value = (name: keyof Initial) => problem?.values[name] ?? initial[name];
  const error = (name: string) => problem?.errors[name];
  return (
    <>
      <TextField
        label="Nome"
        name="name"
        defaultValue={value("name")}
        error={error("name")}
        required
        limit={NAME_MAX}
        autoComplete="name"
      />
      <AboutFields initial={initial} problem={problem} isRequired={isCreator} />
      <TextField
        label="Cidade"
        name="city"
        defaultValue={value("city")}
        error={error("city")}
        required={false}
        limit={CITY_MAX}
        placeholder="Recife, PE"
      />
      {withPictures ? (
        <>
          <AvatarField error={error("avatar")} />
          <BannerField error={error("banner")} />
        </>
      ) : null}
    </>
  );
}

/** What a page is about: in a few words, by category, and in sentences. */
export function AboutFields({
  initial,
  problem,
  isRequired,
}: {
  initial: Pick<Initial, "craft" | "category" | "bio">;
  problem: Problem;
  isRequired: boolean;
}) {
  const value = (name: "craft" | "category" | "bio") => problem?.values[name] ?? initial[name];
  const error = (name: string) => problem?.errors[name];
  return (
    <>
      <TextField
        label="O que você faz"
        name="craft"
        defaultValue={value("craft")}
        error={error("craft")}
        required={isRequired}
        limit={CRAFT_MAX}
        hint="Em duas ou três palavras: rabeca e forró, cordel toda sexta."
      />
      <SelectField
        label="Assunto"
        name="category"
        options={CATEGORIES}
        defaultValue={value("category")}
        error={error("category")}
        required={false}
        hint="Em Explorar, é por ele que as pessoas chegam até você."
      />
      <TextArea
        label="Sobre você"
        name="bio"
        defaultValue={value("bio")}
        error={error("bio")}
        required={isRequired}
        limit={BIO_MAX}
        rows={4}
        hint="O que as pessoas encontram na sua página, e por que vale a pena ficar."
      />
    </>
  );
}

type ImageFieldProps = { error: string | undefined; isRequired?: boolean };

export function AvatarField({ error, isRequired }: ImageFieldProps) {
  return (
    <CropField
      label="Foto de perfil"
      name="avatar"
      shape="avatar"
      isRequired={isRequired}
      error={error}
      hint="JPG, PNG, GIF, WEBP ou AVIF, até 10 MB."
    />
  );
}

export function BannerField({ error, isRequired }: ImageFieldProps) {
  return (
    <CropField
      label="Capa da página"
      name="banner"
      shape="banner"
      isRequired={isRequired}
      error={error}
      hint="Sem capa, a página ganha as bandeirinhas do seu nome."
    />
  );
}
