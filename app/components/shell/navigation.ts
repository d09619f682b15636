import { BarChart3, Bell, CalendarDays, House, MessageSquare, Plus, Repeat, Search, Settings, ShieldCheck, User } from "lucide-react";
import type { LucideIcon } from "lucide-react";

export type Destination = { to: string; label: string; Icon: LucideIcon; end?: boolean };

type Who = { isCreator: boolean; isModerator: boolean };

const HOME: Destination = { to: "/", label: "Início", Icon: House, end: true };
const EXPLORE: Destination = { to: "/explore", label: "Explorar", Icon: Search };
const MESSAGES: Destination = { to: "/messages", label: "Mensagens", Icon: MessageSquare };
const SUBSCRIPTIONS: Destination = { to: "/settings/subscriptions", label: "Assinaturas", Icon: Repeat };

/** The desktop rail, from top to bottom. */
export function railDestinations({ isCreator, isModerator }: Who): Destination[] {
  return [
    HOME,
    EXPLORE,
    { to: "/notifications", label: "Notificações", Icon: Bell },
    MESSAGES,
    { to: "/events", label: "Eventos", Icon: CalendarDays },
    isCreator ? { to: "/analytics", label: "Números", Icon: BarChart3 } : SUBSCRIPTIONS,
    { to: "/settings", label: "Ajustes", Icon: Settings, end: !isCreator },
    ...(isModerator ? [{ to: "/admin/documents", label: "Moderação", Icon: ShieldCheck }] : []),
  ];
}

/** The phone bar: always five. */
export function barDestinations({ isCreator }: Pick<Who, "isCreator">): Destination[] {
  return [
    HOME,
    EXPLORE,
    isCreator ? { to: "/post/create", label: "Criar", Icon: Plus } : SUBSCRIPTIONS,
    MESSAGES,
    { to: "/me", label: "Perfil", Icon: User },
  ];
}
