/**
 * The partition under which a distributed store keeps what it took over from an embedded one, whose log has no counterpart
 * in Kafka. No topic has so many: nobody resumes there, and whatever is delivered again is a repeat of it.
 */
export const movedPartition = 4_294_967_295
