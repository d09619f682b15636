import { FileField, TextArea, TextField } from "#app/components/ui/field.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { ACCEPTED_IMAGES } from "#app/domain/media/schema.ts";
import { NAME_MAX } from "#app/domain/identity/schema.ts";
import { BIO_MAX, CITY_MAX, CRAFT_MAX } from "#app/domain/profiles/schema.ts";

type Problem = { errors: Record<string, string>; values: Record<string, string> } | undefined;
type Initial = { name: string; bio: string; craft: string; city: string };

/** What a profile says of itself; what was typed stays when the form is refused. */
export function ProfileFields({ initial, problem, isCreator }: { initial: Initial; problem: Problem; isCreator: boolean }) {
  useFirstError(problem);
  const value = (name: keyof Initial) => problem?.values[name] ?? initial[name];
  const error = (name: string) => problem?.errors[name];
  return (
    <>
      <TextField label="Nome" name="name" defaultValue={value("name")} error={error("name")} required maxLength={NAME_MAX} autoComplete="name" />
      <TextField
        label="O que você faz"
        name="craft"
        defaultValue={value("craft")}
        error={error("craft")}
        required={isCreator}
        maxLength={CRAFT_MAX}
        hint="Em duas ou três palavras: rabeca e forró, cordel toda sexta."
      />
      <TextArea
        label="Sobre você"
        name="bio"
        defaultValue={value("bio")}
        error={error("bio")}
        required={isCreator}
        maxLength={BIO_MAX}
        rows={4}
        hint="O que as pessoas encontram na sua página, e por que vale a pena ficar."
      />
      <TextField label="Cidade" name="city" defaultValue={value("city")} error={error("city")} required={false} maxLength={CITY_MAX} placeholder="Recife, PE" />
      <FileField label="Foto de perfil" name="avatar" accept={ACCEPTED_IMAGES} error={error("avatar")} required={false} hint="JPG, PNG, GIF ou WEBP, até 10 MB." />
      <FileField
        label="Capa da página"
        name="banner"
        accept={ACCEPTED_IMAGES}
        error={error("banner")}
        required={false}
        hint="Sem capa, a página ganha as bandeirinhas do seu nome."
      />
    </>
  );
}
