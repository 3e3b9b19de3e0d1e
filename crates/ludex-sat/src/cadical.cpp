// What `cadical.rs` needs of CaDiCaL, as functions of C.

#include "cadical.hpp"

namespace {

typedef int (*Ask) (const void *);

struct Sat : CaDiCaL::Terminator {
  CaDiCaL::Solver solver;
  Ask ask;
  const void *data;

  Sat (Ask ask, const void *data) : ask (ask), data (data) {
    solver.connect_terminator (this);
  }
  ~Sat () { solver.disconnect_terminator (); }
  bool terminate () override { return ask (data); }
};

} // namespace

extern "C" {

Sat *ludex_sat_new (Ask ask, const void *data) { return new Sat (ask, data); }
void ludex_sat_delete (Sat *sat) { delete sat; }
void ludex_sat_add (Sat *sat, int lit) { sat->solver.add (lit); }
void ludex_sat_assume (Sat *sat, int lit) { sat->solver.assume (lit); }
int ludex_sat_holds (Sat *sat, int lit) { return sat->solver.val (lit) > 0; }
int ludex_sat_failed (Sat *sat, int lit) { return sat->solver.failed (lit); }

// 10 for satisfiable, 20 for unsatisfiable, 0 for unknown.
int ludex_sat_solve (Sat *sat, int conflicts) {
  sat->solver.limit ("conflicts", conflicts);
  return sat->solver.solve ();
}
}
