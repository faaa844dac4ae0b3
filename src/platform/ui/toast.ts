/** Told at the bottom right by the one `Toaster`; `toast.error(title, { description, action: { label, onClick } })`. */
export { toast } from 'sonner'
