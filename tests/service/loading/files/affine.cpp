// SPDX-License-Identifier: Apache-2.0
#include "affine.h"

using affine_of_file = service_loading::affine_by<AFFINE_ADD>;
GENESYS_LOADABLE_SERVICE(affine, affine_of_file)
